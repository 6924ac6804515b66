run "target" {
  plan_options {
    target = [terraform_data.b, module.m]
  }
  assert {
    condition     = terraform_data.b.output == "b"
    error_message = "no"
  }
}
run "all" {
}
run "replace" {
  command = plan
  plan_options {
    replace = [terraform_data.a]
  }
}
run "replace_it" {
  plan_options {
    replace = [terraform_data.a]
    refresh = false
  }
  assert {
    condition     = terraform_data.a.id != run.all.id
    error_message = "same"
  }
}
run "only" {
  plan_options {
    mode = refresh-only
  }
  variables {
    name = "ignored"
  }
  assert {
    condition     = terraform_data.a.output == "x"
    error_message = "no"
  }
}
