terraform {
  required_providers {
    tls = {
      source = "hashicorp/tls"
    }
  }
}
resource "tls_private_key" "k" {
  algorithm = "ED25519"
}
data "tls_certificate" "c" {
  url = "https://127.0.0.1:1"
}
resource "tls_self_signed_cert" "s" {
  private_key_pem       = tls_private_key.k.private_key_pem
  validity_period_hours = 1
  allowed_uses          = []
  subject {
    common_name = "a"
  }
}
output "n" {
  value = length(data.tls_certificate.c.certificates)
}
