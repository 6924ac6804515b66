terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}
resource "terraform_data" "host" {
  input = "localhost"
}
locals {
  url = "http://${terraform_data.host.output}:1"
}
module "m" {
  source = "./m"
}
provider "tls" {
  proxy {
    url      = local.url
    username = module.m.user
  }
}
resource "tls_private_key" "k" {
  algorithm = "ED25519"
}
