run "passes" {
  command = plan
  assert {
    condition     = var.name == "x"
    error_message = "no"
  }
}
