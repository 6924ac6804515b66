run "four" {
  command = plan
}
