run "two" {
  command = plan
}
