check "in_error" {
  assert {
    condition     = terraform_data.a.input.nothing
    error_message = "never"
  }
}
