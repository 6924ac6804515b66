terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_moved" "c" {
  name = "c"
}
resource "probe_counted" "d" {
  name = "d"
}
moved {
  from = probe_moved.d
  to   = probe_counted.d
}
