run "r" {
  command = plan
  assert {
    condition     = run.r.x == "a"
    error_message = "no"
  }
}
