run "one" {
}
run "replaces" {
  variables {
    n = 2
  }
}
