override_resource {
  target = terraform_data.nope
}
override_module {
  target = module.nope
}
mock_provider "terraform" {
  override_data {
    target = data.terraform_remote_state.nope
  }
}
run "one" {
  command = plan
  override_resource {
    target = module.m.terraform_data.x
  }
}
