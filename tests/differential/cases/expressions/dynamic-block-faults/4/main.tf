resource "tls_self_signed_cert" "b" {
  private_key_pem = "x"
  validity_period_hours = 1
  allowed_uses = []
  dynamic "subject" {
    for_each = ["x", "y"]
    content {
      common_name = subject.value
    }
  }
  dynamic "subjects" {
    for_each = ["x", "y"]
    content {
      common_name = subject.value
    }
  }
}
