run "root" {
  expect_failures = [check.root]
}
run "inner1" {
  module { source = "./m" }
  variables { v = 1 }
  expect_failures = [check.inner]
}
run "v2" {
  module { source = "./m" }
  variables { v = 2 }
  expect_failures = [check.inner]
}
run "post" {
  module { source = "./m" }
  variables { v = 4 }
  expect_failures = [terraform_data.r, check.inner]
}
run "after" {
  module { source = "./m" }
  variables { v = 2 }
  assert {
    condition = terraform_data.r.id != null && output.v == 2
    error_message = "x"
  }
}
run "out" {
  module { source = "./m" }
  variables { v = 3 }
  expect_failures = [output.v, check.inner]
}
