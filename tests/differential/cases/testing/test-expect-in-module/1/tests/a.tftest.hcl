run "one" {
  command = plan
  expect_failures = [var.o]
}
