run "r" {
  command = plan
  assert {
    condition     = terraform_data.b.input == "a"
    error_message = "no"
  }
}
