run "pre" {
  command = plan
  variables {
    n = 2
  }
  expect_failures = [terraform_data.a[0]]
}
