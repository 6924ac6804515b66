run "one" {
  command = plan
}
run "two" {
  command = plan
  variables {
    name = run.one.id
  }
}
