test {
  parallel = false
}
run "kept" {
  backend "local" {
    path = "kept/b.tfstate"
  }
  variables { n = "first" }
}
run "later" {
  variables { n = "second" }
  assert {
    condition     = output.first == "first"
    error_message = "It was made anew: ${output.first}."
  }
}
run "apart" {
  state_key = "apart"
  variables { n = "third" }
  assert {
    condition     = output.first == "third"
    error_message = "It was not made."
  }
}
