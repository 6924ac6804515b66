variable "l" { type = list(string) }
resource "tls_self_signed_cert" "b" {
  private_key_pem = "x"
  validity_period_hours = 1
  allowed_uses = []
  dynamic "subject" {
    for_each = var.l
    content {
      common_name = subject.value.x + subject.nope
      foo = each.key
      country = subject
    }
  }
}
