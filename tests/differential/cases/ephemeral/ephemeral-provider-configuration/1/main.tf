variable "secret" {
  type      = string
  ephemeral = true
}
ephemeral "random_password" "p" {
  length = 9
}
provider "tls" {
  proxy {
    url      = "http://localhost:1"
    username = var.secret
    password = ephemeral.random_password.p.result
  }
}
resource "tls_private_key" "k" {
  algorithm = "ED25519"
}
resource "tls_private_key" "l" {
  algorithm = "ED25519"
}
