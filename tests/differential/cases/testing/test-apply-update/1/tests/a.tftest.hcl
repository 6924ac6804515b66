run "one" {
  command = apply
  variables {
    name = "a"
  }
  assert {
    condition     = output.name == "a"
    error_message = output.id
  }
}
run "two" {
  command = apply
  variables {
    name = "b"
  }
  assert {
    condition     = output.id == run.one.id && output.name == "b"
    error_message = output.id
  }
}
run "three" {
  command = plan
  variables {
    name = "c"
  }
  assert {
    condition     = terraform_data.a.output == "b"
    error_message = "no"
  }
}
