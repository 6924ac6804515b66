terraform {
  required_providers {
    tls = {
      source = "hashicorp/tls"
    }
  }
}
variable "u" {
  default = "x"
}
resource "tls_private_key" "k" {
  algorithm = "ED25519"
}
