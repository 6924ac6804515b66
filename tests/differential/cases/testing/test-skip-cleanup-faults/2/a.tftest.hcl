variables { n = "x" }
run "strange" {
  backend "nothing" {}
}
run "one" {
  state_key = "one"
  backend "local" { path = "same" }
}
run "two" {
  state_key = "two"
  backend "local" { path = "same" }
}
