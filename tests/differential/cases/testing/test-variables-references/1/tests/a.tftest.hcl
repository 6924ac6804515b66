variables {
  base = "b"
  name = "${var.global}-f"
}
run "one" {
  command = plan
  variables {
    name = "${var.base}-${var.global}"
  }
  assert {
    condition     = var.name == "q"
    error_message = var.name
  }
}
