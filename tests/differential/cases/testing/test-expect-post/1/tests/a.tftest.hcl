run "post" {
  command = apply
  variables {
    n = 3
  }
  expect_failures = [terraform_data.a]
}
