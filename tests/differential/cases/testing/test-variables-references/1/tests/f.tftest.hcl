run "one" {
  command = plan
  variables {
    name = local.x
  }
}
