run "r" {
  command = plan
  assert {
    condition     = output.name.x == 1
    error_message = "no"
  }
}
