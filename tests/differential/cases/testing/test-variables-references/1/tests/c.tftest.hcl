run "one" {
  command = plan
  variables {
    name = run.two.name
  }
}
run "two" {
  command = plan
}
