run "text" {
  command = plan
  assert {
    condition     = var.name
    error_message = "no"
  }
}
