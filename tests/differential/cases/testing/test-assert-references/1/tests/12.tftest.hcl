run "r" {
  command = plan
  assert {
    condition     = check.c == 1
    error_message = "no"
  }
}
