resource "terraform_data" "host" {
  input = "localhost"
}

provider "tls" {
  proxy {
    url = "http://${terraform_data.host.output}:1"
  }
}

resource "tls_private_key" "kept" {
  algorithm = "ED25519"
}
