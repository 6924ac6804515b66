run "r" {
  command = plan
  assert {
    condition     = run.nope.x == "a"
    error_message = "no"
  }
}
