terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}
variable "v" {
  default = 1
}
resource "terraform_data" "user" {
  input            = "user${var.v}"
  triggers_replace = var.v
}
provider "tls" {
  proxy {
    url      = "http://localhost:1"
    username = terraform_data.user.output
  }
}
resource "tls_private_key" "k" {
  algorithm = "ED25519"
  lifecycle {
    create_before_destroy = true
  }
}
