variables {
  user = "me"
}
provider "tls" {
  proxy {
    url      = run.setup.url
    username = var.user
  }
}
run "setup" {
  module {
    source = "./setup"
  }
}
run "one" {
  command = plan
}
