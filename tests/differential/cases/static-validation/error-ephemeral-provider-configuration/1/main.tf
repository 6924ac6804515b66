ephemeral "random_password" "p" {
  length      = 3
  min_numeric = 2
  min_lower   = 2
}
provider "tls" {
  proxy {
    url      = "http://localhost:1"
    username = "u"
    password = ephemeral.random_password.p.result
  }
}
resource "tls_private_key" "k" {
  algorithm = "ED25519"
}
resource "terraform_data" "other" {
  input = 1
}
