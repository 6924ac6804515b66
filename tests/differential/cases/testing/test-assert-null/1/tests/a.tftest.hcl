run "null" {
  command = plan
  assert {
    condition     = var.name == "q" ? null : null
    error_message = "no"
  }
}
