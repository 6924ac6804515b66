run "r" {
  command = plan
  assert {
    condition     = output.nam == "a"
    error_message = "no"
  }
}
