resource "tls_private_key" "gone" {
  algorithm = "ED25519"
}

resource "tls_private_key" "kept" {
  algorithm = "ED25519"
}
