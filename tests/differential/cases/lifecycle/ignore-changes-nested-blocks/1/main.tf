terraform {
  required_providers {
    tls    = { source = "hashicorp/tls" }
    random = { source = "hashicorp/random" }
  }
}
variable "v" {
  default = 1
}
resource "tls_private_key" "k" {
  algorithm = "ED25519"
}
resource "tls_cert_request" "block" {
  private_key_pem = tls_private_key.k.private_key_pem
  subject {
    common_name = "cn${var.v}"
  }
  lifecycle {
    ignore_changes = [subject]
  }
}
resource "tls_cert_request" "argument" {
  private_key_pem = tls_private_key.k.private_key_pem
  dns_names       = ["a${var.v}", "b${var.v}"]
  subject {
    common_name  = "cn${var.v}"
    organization = "o${var.v}"
  }
  lifecycle {
    ignore_changes = [subject[0].common_name, dns_names[0]]
  }
}
resource "tls_cert_request" "comes" {
  private_key_pem = tls_private_key.k.private_key_pem
  dynamic "subject" {
    for_each = var.v == 1 ? [] : [1]
    content {
      common_name = "cn"
    }
  }
  lifecycle {
    ignore_changes = [subject[0]]
  }
}
resource "random_shuffle" "s" {
  input        = ["a${var.v}", "b", "c${var.v}"]
  seed         = "x"
  result_count = var.v
  lifecycle {
    ignore_changes = [input[0], result_count]
  }
}
