run "fails" {
  command = apply
  assert {
    condition     = output.name == "y"
    error_message = "no"
  }
}
run "passes" {
  command = apply
  assert {
    condition     = output.name == "x"
    error_message = "no"
  }
}
run "errors" {
  command = plan
  assert {
    condition     = output.nope == "y"
    error_message = "no"
  }
}
run "skipped" {
  command = apply
  assert {
    condition     = output.name == "x"
    error_message = "no"
  }
}
run "skipped_too" {
  command = apply
  assert {
    condition     = output.name == "x"
    error_message = "no"
  }
}
