run "r" {
  command = plan
  assert {
    condition     = terraform_data.a[0].input == "a"
    error_message = "no"
  }
}
