variables {
  some = 3
}
run "one" {
  command = plan
}
