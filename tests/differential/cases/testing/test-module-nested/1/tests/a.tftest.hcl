run "setup" {
  module {
    source = "./setup"
  }
  assert {
    condition     = output.in == "x"
    error_message = "it is ${output.in} ${path.module} ${path.root}"
  }
}
