run "one" {
  module {
  }
}
run "two" {
  module {
    source = "git::https://example.com/x.git"
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
