resource "x" {
