run "first" {
  module {
    source = "./h"
  }
}

run "second" {
}
