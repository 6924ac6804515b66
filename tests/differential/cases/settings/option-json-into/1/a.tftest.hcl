run "one" {
  assert {
    condition     = output.b == "plain"
    error_message = "it is not"
  }
}
