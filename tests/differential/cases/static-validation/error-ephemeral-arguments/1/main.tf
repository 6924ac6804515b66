variable "secret" {
  type      = string
  ephemeral = true
}
resource "terraform_data" "direct" {
  input            = var.secret
  triggers_replace = [var.secret]
}
resource "terraform_data" "inside" {
  input = { list = ["a", "b-${var.secret}"] }
}
resource "null_resource" "n" {
  triggers = { a = var.secret, b = "plain" }
}
resource "local_file" "f" {
  filename = "x.txt"
  content  = "secret: ${var.secret}"
}
resource "random_password" "p" {
  length  = length(var.secret)
  keepers = { k = var.secret }
}
resource "tls_self_signed_cert" "c" {
  private_key_pem       = var.secret
  validity_period_hours = 1
  allowed_uses          = [var.secret]
  subject {
    common_name    = var.secret
    street_address = ["a", var.secret]
  }
}
data "local_file" "d" {
  filename = var.secret
}
data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = var.secret }
}
