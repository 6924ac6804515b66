run "one" {
  command = plan
  variables {
    name = var.nope
  }
}
