terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}
resource "tls_private_key" "k" {
  algorithm = "RSA"
}
resource "tls_self_signed_cert" "no_content" {
  private_key_pem       = tls_private_key.k.private_key_pem
  validity_period_hours = 1
  allowed_uses          = []
  dynamic "subject" {
    for_each = []
  }
}
