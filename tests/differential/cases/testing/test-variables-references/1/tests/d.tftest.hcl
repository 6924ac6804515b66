run "one" {
  command = plan
  variables {
    name = run.nope.name
  }
}
