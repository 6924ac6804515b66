mock_provider "random" {
}
run "plan" {
  command = plan
  assert {
    condition     = output.pet == "x"
    error_message = "unknown"
  }
}
