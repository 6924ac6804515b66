run "o" {
  command = plan
  variables {
    n = 4
  }
  expect_failures = [check.c]
}
