terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}
resource "terraform_data" "r" {
  dynamic "nothing" {
    for_each = [1]
    content {}
  }
}
resource "tls_private_key" "k" {
  algorithm = "RSA"
}
resource "tls_self_signed_cert" "c" {
  private_key_pem       = tls_private_key.k.private_key_pem
  validity_period_hours = 1
  allowed_uses          = []
  dynamic "subject" {
    for_each = 5
    content {
      common_name = "x"
    }
  }
}
