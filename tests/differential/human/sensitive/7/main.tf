variable "secret" {
  sensitive = true
}
resource "terraform_data" "whole" {
  input = nonsensitive(var.secret)
}
resource "terraform_data" "part" {
  input = { user = "u", password = var.secret, list = ["a", var.secret] }
}
resource "terraform_data" "plain" {
  input = sensitive("plain")
}
output "secret" {
  value = nonsensitive(var.secret)
}
output "plain" {
  value     = "visible"
  sensitive = true
}
