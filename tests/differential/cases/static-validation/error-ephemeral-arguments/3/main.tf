variable "secret" {
  type      = string
  ephemeral = true
}
resource "terraform_data" "many" {
  count = 2
  input = "${count.index}-${var.secret}"
}
resource "terraform_data" "whole" {
  input = terraform.applying
}
resource "terraform_data" "dependent" {
  input = terraform_data.whole.output
}
data "local_file" "d" {
  filename = "${var.secret}.txt"
}
