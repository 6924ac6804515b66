run "both" {
  command = plan
  plan_options {
    mode    = refresh-only
    replace = [terraform_data.a]
  }
}
