terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_planned" "p" {
  name = "p"
  size = 3
  protected = true
}
