terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_nested" "right" {
  name      = "right"
  one       = { text = "one" }
  listed    = [{ text = "first" }, { text = "second" }]
  unordered = [{ text = "b" }, { text = "a" }, { text = "b" }]
  keyed     = { k = { text = "keyed" } }
  around {
    inner = [{ text = "x" }]
  }
  around {
    inner = []
  }
}
