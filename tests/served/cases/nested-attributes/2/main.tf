terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_nested" "blocks" {
  name = "blocks"
  one {
    text = "a"
  }
  listed {
    text = "a"
  }
  unordered {
    text = "a"
  }
  keyed "k" {
    text = "a"
  }
  around {
    inner {
      text = "a"
    }
  }
}
