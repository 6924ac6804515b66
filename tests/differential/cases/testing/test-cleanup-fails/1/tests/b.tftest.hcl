run "none" {
  command = plan
}
