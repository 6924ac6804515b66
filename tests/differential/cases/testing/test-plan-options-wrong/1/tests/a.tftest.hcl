run "data" {
  command = plan
  plan_options {
    replace = [data.terraform_remote_state.x]
  }
}
