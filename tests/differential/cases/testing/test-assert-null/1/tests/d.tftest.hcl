run "convert" {
  command = plan
  assert {
    condition     = var.name == "x" ? "true" : "false"
    error_message = "no"
  }
}
