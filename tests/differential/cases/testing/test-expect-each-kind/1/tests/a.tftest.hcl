run "var" {
  command = plan
  variables {
    n = 10
  }
  expect_failures = [var.n]
}
run "pre" {
  command = plan
  variables {
    n = 2
  }
  expect_failures = [terraform_data.a]
}
run "pre_instances" {
  command = plan
  variables {
    n = 2
  }
  expect_failures = [terraform_data.a[0], terraform_data.a[1]]
}
run "output" {
  command = plan
  variables {
    n = 4
  }
  expect_failures = [output.o]
}
run "check" {
  command = plan
  variables {
    n = 5
  }
  expect_failures = [check.c]
}
run "check_apply" {
  command = apply
  variables {
    n = 5
  }
  expect_failures = [check.c]
}
run "data" {
  command = plan
  variables {
    n = 6
  }
  expect_failures = [data.terraform_remote_state.r]
}
