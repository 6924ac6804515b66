run "one" {
  module {
  }
}
run "three" {
  module {
    source = "x"
  }
}
run "four" {
  module {
    source  = "./x"
    version = "1.0.0"
  }
}
