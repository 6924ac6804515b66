override_resource {
  target = terraform_data.nope
}
run "one" {
  expect_failures = [local.x]
  override_module {
    target = module.nope
  }
}
run "two" {
  module {
    source = "./setup"
  }
}
run "three" {
  module {
    source = "./setup"
  }
  expect_failures = [output.made, path.module]
}
