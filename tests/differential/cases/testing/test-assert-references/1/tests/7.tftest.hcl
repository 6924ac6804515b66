run "r" {
  command = plan
  assert {
    condition     = terraform_data.a.nope == "a"
    error_message = "no"
  }
}
