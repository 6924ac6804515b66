run "output" {
  command = apply
  variables {
    n = 4
  }
  expect_failures = [output.o]
}
