run "one" {
}
run "two" {
  command = plan
  variables {
    name = "y"
  }
}
run "three" {
  command = plan
  plan_options {
    mode = refresh-only
  }
}
run "same" {
  command = plan
}
