terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_counted" "c" {
  name = "c"
  note = "four"
}
