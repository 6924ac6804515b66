terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_moved" "c" {
  name = "c"
}
resource "probe_moved" "d" {
  name = "d"
}
moved {
  from = probe_counted.c
  to   = probe_moved.c
}
moved {
  from = terraform_data.d
  to   = probe_moved.d
}
resource "probe_planned" "p" {
  name = "p"
}
