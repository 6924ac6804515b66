resource "terraform_data" "r" {
  input = {
    a = 1
