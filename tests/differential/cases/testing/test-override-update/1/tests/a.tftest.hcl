override_resource {
  target = terraform_data.a
  values = { id = "given" }
}
run "one" {
}
run "two" {
  variables {
    v = "b"
  }
  assert {
    condition     = output.id == "given"
    error_message = output.id
  }
}
run "three" {
  variables {
    v = "c"
  }
  assert {
    condition     = output.id == "given"
    error_message = output.id
  }
}
