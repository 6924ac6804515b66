terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}

variable "names" {
  type    = list(string)
  default = ["one.example", "two.example"]
}

variable "subject" {
  type    = map(string)
  default = { common_name = "example", country = "CH" }
}

resource "tls_private_key" "k" {
  algorithm = "ED25519"
}

resource "tls_self_signed_cert" "static" {
  private_key_pem       = tls_private_key.k.private_key_pem
  validity_period_hours = 12
  allowed_uses          = ["digital_signature"]
  dns_names             = var.names

  subject {
    common_name    = "static"
    street_address = ["Street 1", "Floor 2"]
  }
}

resource "tls_self_signed_cert" "dynamic" {
  private_key_pem       = tls_private_key.k.private_key_pem
  validity_period_hours = 12
  allowed_uses          = []

  dynamic "subject" {
    for_each = [var.subject]
    iterator = it
    content {
      common_name = it.value.common_name
      country     = it.value["country"]
      locality    = "${it.key}"
    }
  }
}

resource "tls_self_signed_cert" "none" {
  private_key_pem       = tls_private_key.k.private_key_pem
  validity_period_hours = 12
  allowed_uses          = []

  dynamic "subject" {
    for_each = var.names == null ? [] : slice(var.names, 0, 0)
    content {
      common_name = subject.value
    }
  }
}
