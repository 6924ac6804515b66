run "r" {
  command = plan
  assert {
    condition     = local.nope == "a"
    error_message = "no"
  }
}
