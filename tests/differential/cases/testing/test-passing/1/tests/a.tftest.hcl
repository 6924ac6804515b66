run "one" {
  command = apply
  assert {
    condition     = output.name == "x"
    error_message = "no"
  }
}
run "two" {
  command = plan
  variables {
    name = run.one.name
  }
  assert {
    condition     = terraform_data.a.input == run.one.name
    error_message = "no"
  }
}
