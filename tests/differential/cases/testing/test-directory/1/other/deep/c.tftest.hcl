run "three" {
  command = plan
}
