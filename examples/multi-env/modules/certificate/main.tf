terraform {
  required_providers {
    tls = {
      source = "hashicorp/tls"
    }
  }
}

variable "common_name" {
  type = string
}

variable "dns_names" {
  type = list(string)
}

variable "valid_days" {
  type    = number
  default = 365
}

resource "tls_private_key" "this" {
  algorithm   = "ECDSA"
  ecdsa_curve = "P256"
}

resource "tls_self_signed_cert" "this" {
  private_key_pem = tls_private_key.this.private_key_pem

  subject {
    common_name  = var.common_name
    organization = "Example"
  }

  dns_names             = var.dns_names
  validity_period_hours = var.valid_days * 24
  early_renewal_hours   = 24 * 30

  allowed_uses = [
    "digital_signature",
    "key_encipherment",
    "server_auth",
  ]
}

output "certificate" {
  value = tls_self_signed_cert.this.cert_pem
}

output "key" {
  value     = tls_private_key.this.private_key_pem
  sensitive = true
}

output "valid_until" {
  value = tls_self_signed_cert.this.validity_end_time
}
