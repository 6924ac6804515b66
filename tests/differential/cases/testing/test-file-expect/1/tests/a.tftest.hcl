run "one" {
  expect_failures = var.x
}
run "two" {
  expect_failures = ["var.name", 1 + 2]
}
