run "r" {
  command = plan
  assert {
    condition     = var.nope == "a"
    error_message = "no"
  }
}
