variable "bad" {
  default = "nope"
}

provider "tls" {
  proxy {
    url = var.bad
  }
}

resource "tls_private_key" "kept" {
  algorithm = "ED25519"
}
