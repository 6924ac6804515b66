variables {
  v6 = "file"
  v7 = "file"
}
run "one" {
  command = plan
  variables {
    v7 = "run"
  }
  assert {
    condition     = output.all == []
    error_message = jsonencode(output.all)
  }
}
