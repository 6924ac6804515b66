resource "terraform_data" "a" {
  dynamic "lifecycle" {
    for_each = []
    content {}
  }
  dynamic "provisioner" {
    for_each = []
    content {}
  }
  dynamic "nope" {
    for_each = []
    content {}
  }
  dynamic {
    for_each = []
    content {}
  }
}
resource "tls_self_signed_cert" "b" {
  private_key_pem = "x"
  validity_period_hours = 1
  allowed_uses = []
  dynamic "subject" {
  }
  dynamic "subject" {
    for_each = []
  }
  dynamic "subject" {
    content {}
  }
  dynamic "subject" {
    for_each = []
    iterator = "x"
    labels = ["a"]
    foo = 1
    content {
      common_name = subject.value
      nope = 1
    }
    content {}
    blah {}
  }
  dynamic "subject" {
    for_each = 5
    iterator = s.t
    content {
      common_name = s.value
    }
  }
  dynamic "subject" {
    for_each = null
    content {
      common_name = sbject.value
    }
  }
  dynamic "subject" {
    for_each = ["a"]
    iterator = it
    content {
      common_name = subject.value
      country = it.nope
      street_address = it.value
    }
  }
  dynamic "subject" "x" {
    for_each = ["a"]
    content {}
  }
}
