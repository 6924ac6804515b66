run "x" {
  command = plan

  variables {
    a = 7
  }
}
