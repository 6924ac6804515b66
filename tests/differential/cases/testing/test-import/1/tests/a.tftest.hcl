run "one" {
  command = apply
  assert {
    condition     = terraform_data.a.id == "given"
    error_message = "no"
  }
}
