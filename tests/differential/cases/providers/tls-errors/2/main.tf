terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}

resource "tls_self_signed_cert" "bad_key" {
  private_key_pem       = "not a key"
  validity_period_hours = 1
  allowed_uses          = []
}
