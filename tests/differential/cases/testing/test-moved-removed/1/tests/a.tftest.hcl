run "old" {
  state_key = "k"
  module {
    source = "./setup"
  }
}
run "new" {
  state_key = "k"
  assert {
    condition     = terraform_data.a.id == run.old.id
    error_message = "moved"
  }
}
