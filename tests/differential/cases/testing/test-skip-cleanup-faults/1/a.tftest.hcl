variables { n = "x" }
run "plans" {
  command = plan
  backend "local" {}
}
run "applies" {}
run "late" {
  backend "local" {}
}
run "again" {
  backend "local" {}
}
run "both" {
  state_key = "both"
  backend "local" {}
  backend "local" {}
}
run "server" {
  state_key = "server"
  backend "remote" {}
}
run "not" {
  state_key    = "not"
  skip_cleanup = false
  backend "local" {}
}
run "skips" {
  state_key    = "skips"
  skip_cleanup = true
}
run "skips_too" {
  state_key    = "skips"
  skip_cleanup = true
}
run "skips_with_backend" {
  state_key    = "both"
  skip_cleanup = true
}
