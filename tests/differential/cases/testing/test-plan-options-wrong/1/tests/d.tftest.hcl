run "target" {
  command = plan
  plan_options {
    target = [terraform_data.nothing]
  }
}
