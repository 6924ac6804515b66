variables {
  name = run.one.id
}
run "one" {
  command = plan
}
