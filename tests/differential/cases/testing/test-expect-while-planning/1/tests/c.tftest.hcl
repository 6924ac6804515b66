run "var" {
  command = apply
  variables {
    n = 11
  }
  expect_failures = [var.n]
}
