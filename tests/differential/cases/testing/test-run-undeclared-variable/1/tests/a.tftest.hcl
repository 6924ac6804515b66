variables {
  only = "file"
}
run "one" {
  variables {
    nope = "a"
  }
  assert {
    condition     = var.only == "file"
    error_message = "no"
  }
}
