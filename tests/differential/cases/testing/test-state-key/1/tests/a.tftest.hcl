run "one" {
  variables {
    name = "first"
  }
}
run "two" {
  command   = plan
  state_key = "own"
  assert {
    condition     = terraform_data.a.output == "first"
    error_message = "another state"
  }
}
run "three" {
  state_key = "own"
  variables {
    name = "third"
  }
}
run "four" {
  command = plan
  assert {
    condition     = terraform_data.a.output == "third"
    error_message = "is ${terraform_data.a.output}"
  }
}
run "five" {
  command   = plan
  state_key = "own"
  assert {
    condition     = terraform_data.a.output == "first"
    error_message = "is ${terraform_data.a.output}"
  }
}
