run "setup" {
  module {
    source = "./setup"
  }
}
run "main" {
  variables {
    n = run.setup.names
  }
  assert {
    condition     = output.all == { s0 = "s0", s1 = "s2" }
    error_message = jsonencode(output.all)
  }
}
run "fewer" {
  variables {
    n = [run.setup.names[1]]
  }
  assert {
    condition     = keys(output.all) == tolist(["s1"])
    error_message = jsonencode(output.all)
  }
}
