terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}
resource "terraform_data" "user" {
  input = "user"
}
provider "tls" {
  proxy {
    url      = "http://localhost:1"
    username = terraform_data.user.id
  }
}
resource "tls_private_key" "k" {
  algorithm = "ED25519"
}
data "tls_public_key" "p" {
  private_key_openssh = tls_private_key.k.private_key_openssh
}
