run "all" {
  command = plan
  variables {
    n = 1
  }
  expect_failures = [var.n, terraform_data.a, output.o, check.c, data.terraform_remote_state.r]
}
