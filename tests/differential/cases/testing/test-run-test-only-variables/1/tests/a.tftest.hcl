variables {
  only = "file"
}
run "one" {
  command = plan
  variables {
    mine = "${var.only} run"
  }
  assert {
    condition     = var.mine == "file x"
    error_message = "got ${var.mine} ${var.only}"
  }
}
