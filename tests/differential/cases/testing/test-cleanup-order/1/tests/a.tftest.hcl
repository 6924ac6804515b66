run "setup" {
  module {
    source = "./setup"
  }
}
run "main" {
}
run "third" {
  state_key = "third"
}
run "main_again" {
  variables {
    name = "z"
  }
}
