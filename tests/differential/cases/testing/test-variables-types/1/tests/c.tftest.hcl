run "one" {
  command = plan
  assert {
    condition     = var.count_of == 4
    error_message = "is ${var.count_of}"
  }
}
