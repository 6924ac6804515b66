run "one" {
  command = plan
  variables {
    count_of = "many"
  }
}
