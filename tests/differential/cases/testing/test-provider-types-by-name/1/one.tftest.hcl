mock_provider "b" {
  alias = "q"
}
run "one" {
  providers = {
    c = b.q
  }
}
run "two" {
}
