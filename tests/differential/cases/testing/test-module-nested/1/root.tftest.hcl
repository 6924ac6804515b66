run "setup" {
  command = plan
  module {
    source = "./setup/in"
  }
  assert {
    condition     = output.o == "x"
    error_message = "it is ${output.o}"
  }
}
