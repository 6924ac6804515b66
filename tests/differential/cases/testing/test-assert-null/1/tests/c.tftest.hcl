run "unknown" {
  command = plan
  assert {
    condition     = output.id == "a"
    error_message = "no"
  }
}
