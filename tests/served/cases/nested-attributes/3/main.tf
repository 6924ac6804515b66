terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_nested" "generated" {
  name   = "generated"
  one    = {}
  listed = [{ text = "a", more = 1 }, {}]
  keyed  = { k = "text" }
  dynamic "unordered" {
    for_each = ["a", "b"]
    content {
      text = unordered.value
    }
  }
  around {
    dynamic "inner" {
      for_each = []
      content {}
    }
  }
}
