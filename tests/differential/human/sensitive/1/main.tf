variable "secret" {
  sensitive = true
}
resource "terraform_data" "whole" {
  input = var.secret
}
resource "terraform_data" "part" {
  input = { user = "u", password = var.secret, list = ["a", var.secret] }
}
resource "terraform_data" "plain" {
  input = "plain"
}
output "secret" {
  value     = var.secret
  sensitive = true
}
output "plain" {
  value = "visible"
}
