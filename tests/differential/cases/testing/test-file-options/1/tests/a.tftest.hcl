run "one" {
  plan_options {
    mode    = refresh-only
    refresh = false
  }
}
run "two" {
  plan_options {
    mode = destroy
  }
}
