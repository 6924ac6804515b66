run "r" {
  command = plan
  assert {
    condition     = data.x.y.z == 1
    error_message = "no"
  }
}
