terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_planned" "p" {
  name = "p"
  size = 3
}
resource "probe_everything" "e" {
  name = "e"
  list = ["a"]
}
resource "probe_planned" "q" {
  name  = "q"
  label = probe_planned.p.colour
}
