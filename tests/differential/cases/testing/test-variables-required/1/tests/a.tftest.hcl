run "one" {
  command = plan
}
run "two" {
  command = plan
}
