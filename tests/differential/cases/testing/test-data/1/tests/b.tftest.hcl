run "two" {
  command = apply
  assert {
    condition     = data.terraform_remote_state.r.outputs.o == "w"
    error_message = "no"
  }
}
