terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_nested" "missing" {
  name = "missing"
  around {}
}
