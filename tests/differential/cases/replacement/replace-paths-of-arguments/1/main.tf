terraform {
  required_providers {
    tls    = { source = "hashicorp/tls" }
    random = { source = "hashicorp/random" }
  }
}
variable "v" {
  default = 1
}
variable "secret" {
  default   = "s"
  sensitive = true
}
resource "terraform_data" "source" {
  input = var.v
}
resource "tls_private_key" "k" {
  algorithm = "ED25519"
}
resource "tls_cert_request" "r" {
  private_key_pem = tls_private_key.k.private_key_pem
  dns_names       = ["a", "b${var.v}"]
  subject {
    common_name         = "cn${var.v}"
    organization        = "same"
    organizational_unit = terraform_data.source.input == 1 ? null : "ou"
  }
}
resource "random_integer" "i" {
  min     = 1000 * var.v
  max     = 9999 * var.v
  keepers = { source = terraform_data.source.output, secret = "${var.secret}${var.v}" }
  seed    = "x"
}
resource "random_integer" "ignored" {
  min  = 1000 * var.v
  max  = 99999
  seed = "y"
  lifecycle {
    ignore_changes = [min]
  }
}
