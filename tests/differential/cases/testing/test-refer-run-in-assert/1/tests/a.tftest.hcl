run "one" {
  command = plan
  assert {
    condition     = var.name == "x"
    error_message = "no"
  }
}
run "two" {
  command = plan
  assert {
    condition     = run.one.name == "y"
    error_message = "one had ${run.one.name}"
  }
}
run "three" {
  command = plan
  assert {
    condition     = run.three.name == "y"
    error_message = "no"
  }
}
run "four" {
  command = plan
  assert {
    condition     = run.one.name == "x"
    error_message = "no"
  }
}
