resource "tls_self_signed_cert" "b" {
  private_key_pem = "x"
  validity_period_hours = 1
  allowed_uses = []
  dynamic "subject" {
    for_each = nofn()
    content {
      common_name = nofn2()
    }
  }
}
resource "tls_self_signed_cert" "c" {
  private_key_pem = "x"
  validity_period_hours = 1
  allowed_uses = []
  dynamic "subject" {
    for_each = var.nope
    content {
      common_name = nofn2()
    }
  }
}
resource "tls_self_signed_cert" "d" {
  private_key_pem = nope.x
  validity_period_hours = 1
  allowed_uses = []
  dynamic "subject" {
    for_each = each.value
    content {
      common_name = nofn2()
    }
  }
}
resource "tls_self_signed_cert" "e" {
  private_key_pem = nope
  validity_period_hours = 1
  allowed_uses = []
  dynamic "subject" {
    for_each = nope
    content {
      common_name = count.index
    }
  }
}
resource "tls_self_signed_cert" "f" {
  private_key_pem = local.y
  validity_period_hours = 1
  allowed_uses = []
  dynamic "subject" {
    for_each = local.x
    content {
      common_name = local.z
    }
  }
}
