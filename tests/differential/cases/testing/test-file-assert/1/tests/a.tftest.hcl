run "one" {
  assert {
    condition     = true
    error_message = "always"
  }
  assert {
    condition = var.name == "x"
  }
}
