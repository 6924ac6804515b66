run "setup" {
  module {
    source = "./setup"
  }
}
