run "setup" {
  module {
    source = "./setup"
  }
  variables {
    prefix = "q"
  }
}
run "main" {
  variables {
    name = run.setup.made
  }
  assert {
    condition     = output.name == "q-setup"
    error_message = "no"
  }
}
run "again" {
  command = plan
  module {
    source = "./setup"
  }
  variables {
    prefix = "q"
  }
  assert {
    condition     = terraform_data.s.output == "other"
    error_message = "kept state"
  }
}
