run "r" {
  command = plan
  assert {
    condition     = module.nope.x == "a"
    error_message = "no"
  }
}
