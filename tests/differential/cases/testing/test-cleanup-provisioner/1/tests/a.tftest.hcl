run "one" {
}
run "two" {
  command = plan
}
