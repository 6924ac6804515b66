terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_planned" "p" {
  name = "p"
  size = 3
}

resource "probe_planned" "new" {
  name = "new"
  fail = "after"
}
resource "probe_planned" "next" {
  name  = "next"
  label = probe_planned.new.id
}
