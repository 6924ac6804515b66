run "one" {
  command = plan
  assert {
    condition     = data.terraform_remote_state.r.outputs.o == "v"
    error_message = "no"
  }
}
