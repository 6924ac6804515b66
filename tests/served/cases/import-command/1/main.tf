terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_planned" "first" {
  name = "first"
  size = 3
}

resource "probe_planned" "second" {
  name = "second"
  size = 3
}

resource "probe_identified" "i" {
  name   = "i"
  region = "north"
  size   = 2
}

resource "probe_identified" "j" {
  name   = "j"
  region = "north"
}

resource "probe_everything" "e" {
  name = "e"
  one  = { s = "x" }
}
