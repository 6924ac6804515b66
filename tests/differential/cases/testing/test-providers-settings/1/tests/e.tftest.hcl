provider "tls" {
  nope = 1
}
run "one" {
  command = plan
}
