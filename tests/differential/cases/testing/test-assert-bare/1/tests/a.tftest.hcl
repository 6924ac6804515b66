run "r" {
  command = plan
  assert {
    condition     = output == "a"
    error_message = "no"
  }
}
