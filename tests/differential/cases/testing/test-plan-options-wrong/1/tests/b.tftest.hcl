run "module" {
  command = plan
  plan_options {
    replace = [module.m]
    target  = [foo]
  }
}
