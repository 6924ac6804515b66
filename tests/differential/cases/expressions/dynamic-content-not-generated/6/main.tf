resource "tls_private_key" "k" { algorithm = "ED25519" }
resource "tls_self_signed_cert" "b" {
  private_key_pem = tls_private_key.k.private_key_pem
  validity_period_hours = 1
  allowed_uses = []
  dynamic "subject" {
    for_each = []
    content {
      common_name = nope.value + var.nope
      foo = 1
    }
  }
}
