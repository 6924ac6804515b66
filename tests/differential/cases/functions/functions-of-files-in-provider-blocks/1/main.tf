terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}

provider "tls" {
  proxy {
    url      = "http://127.0.0.1:1"
    username = file("user.txt")
    password = templatefile("t.tftpl", {})
  }
}

resource "tls_private_key" "a" {
  algorithm = "ED25519"
}
