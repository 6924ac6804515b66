run "l" {
  command = plan
  variables {
    n = 1
  }
  expect_failures = [local.l]
}
