mock_provider "random" {
}
run "one" {
}
run "two" {
  variables {
    l = 3
  }
  assert {
    condition     = output.pet == run.one.pet && output.w == run.one.w
    error_message = "changed"
  }
}
