terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_planned" "p" {
  name = "p"
  fail = "throw"
  size = 2
}
