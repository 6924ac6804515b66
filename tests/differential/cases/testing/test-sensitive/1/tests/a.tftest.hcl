run "one" {
  command = apply
  assert {
    condition     = output.o == "b"
    error_message = "no"
  }
}
run "two" {
  command = plan
  variables {
    v = run.one.o
  }
  assert {
    condition     = var.v == "c"
    error_message = "is ${run.one.o}"
  }
}
run "three" {
  command = plan
  assert {
    condition     = terraform_data.a.input == "d"
    error_message = "plain"
  }
}
