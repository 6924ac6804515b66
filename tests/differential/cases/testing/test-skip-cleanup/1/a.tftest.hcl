run "one" {
  variables { n = "one" }
  skip_cleanup = true
}
run "two" {
  variables { n = "two" }
  assert {
    condition = output.o == "two"
    error_message = "x"
  }
}
run "other" {
  state_key = "k"
  variables { n = run.two.o }
}
