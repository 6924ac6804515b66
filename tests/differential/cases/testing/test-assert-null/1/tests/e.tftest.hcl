run "number" {
  command = plan
  assert {
    condition     = length(var.name)
    error_message = "no"
  }
}
