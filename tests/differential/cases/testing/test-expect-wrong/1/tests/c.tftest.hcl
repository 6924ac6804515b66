run "r" {
  command = plan
  variables {
    n = 1
  }
  expect_failures = [run.x]
}
