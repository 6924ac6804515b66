run "inner" {
  module {
    source = "./m/inner"
  }
}
