run "one" {
  state_key = 1
}
run "two" {
  state_key = null
}
