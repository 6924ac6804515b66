run "pre" {
  command = apply
  variables {
    n = 2
  }
  expect_failures = [terraform_data.a]
}
