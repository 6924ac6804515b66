run "one" {
  command = plan
  assert {
    condition     = run.on.name == "x"
    error_message = "no"
  }
}
