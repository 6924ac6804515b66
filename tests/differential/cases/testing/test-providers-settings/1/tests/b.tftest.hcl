provider "tls" {
  proxy {
    url = run.later.url
  }
}
run "one" {
  command = plan
}
run "later" {
  module {
    source = "./setup"
  }
}
