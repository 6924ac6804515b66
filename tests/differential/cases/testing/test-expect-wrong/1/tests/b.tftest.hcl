run "m" {
  command = plan
  variables {
    n = 1
  }
  expect_failures = [module.m.o]
}
