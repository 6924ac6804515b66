terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}

resource "tls_private_key" "algorithm" {
  algorithm = "DSA"
}

resource "tls_private_key" "missing" {}

resource "tls_self_signed_cert" "uses" {
  private_key_pem       = "x"
  validity_period_hours = -1
  allowed_uses          = ["everything"]
}
