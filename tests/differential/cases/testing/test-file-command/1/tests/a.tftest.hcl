run "one" {
  command = destroy
}
