provider "tls" {
  proxy {
    url = local.nothing
  }
}
run "one" {
  command = plan
}
