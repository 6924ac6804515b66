run "one" {
  variables {
    m = { a = "b" }
  }
}
run "two" {
  variables {
    m = run.one
  }
}
