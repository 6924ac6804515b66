run "r" {
  command = plan
  assert {
    condition     = plan.x == 1
    error_message = "no"
  }
}
