run "r" {
  command = plan
  assert {
    condition     = nofunction(var.name)
    error_message = "no"
  }
}
