run "one" {
  command = plan
  assert {
    condition     = output.all == []
    error_message = jsonencode(output.all)
  }
}
