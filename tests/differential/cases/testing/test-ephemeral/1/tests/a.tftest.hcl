run "one" {
  command = apply
  variables {
    e = "a"
  }
  assert {
    condition     = var.e == "b"
    error_message = "no"
  }
}
run "two" {
  command = plan
  assert {
    condition     = local.l == "a"
    error_message = "is ${local.l}"
  }
}
