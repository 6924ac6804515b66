run "a" {
  module {}
  module {
    source = "./m"
  }
  module {
    source = "./m"
  }
  module {
    source = "./m"
  }
}
