variable "secret" {
  type      = string
  ephemeral = true
}
ephemeral "random_password" "p" {
  length = 4
}
locals {
  mixed = { plain = 1, secret = var.secret }
}
resource "terraform_data" "r" {
  input = "x"
}
