resource "tls_self_signed_cert" "b" {
  private_key_pem = "x"
  validity_period_hours = 1
  allowed_uses = nope.z
  dynamic "subject" {
    for_each = ["a"]
    content {
      common_name = nope.y
    }
  }
  subject {
    common_name = nope.q
  }
}
