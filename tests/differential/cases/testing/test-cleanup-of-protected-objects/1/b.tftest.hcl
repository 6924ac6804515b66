run "one" {
}
run "module" {
  module {
    source = "./m"
  }
}
