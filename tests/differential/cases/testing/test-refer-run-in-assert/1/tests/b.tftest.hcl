run "one" {
  command = plan
  assert {
    condition     = run.two.name == "x"
    error_message = "no"
  }
}
run "two" {
  command = plan
  assert {
    condition     = var.name == "x"
    error_message = "no"
  }
}
