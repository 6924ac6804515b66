terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}
resource "tls_private_key" "k" {
  algorithm = "ED25519"
}
resource "tls_self_signed_cert" "c" {
  private_key_pem       = tls_private_key.k.private_key_pem
  validity_period_hours = 12
  allowed_uses          = ["digital_signature", "server_auth"]
  dns_names             = ["example.org"]
  subject {
    common_name    = "example"
    street_address = ["Street 1", "Floor 2"]
  }
}
