provider "tls" {
  proxy {
    url = var.nothing
  }
}
run "one" {
  command = plan
}
