run "setup" {
  module {
    source = "./nope"
  }
}
