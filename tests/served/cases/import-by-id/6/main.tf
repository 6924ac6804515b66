terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_planned" "p" {
  name = "p"
  size = 3
}
resource "probe_identified" "i" {
  name   = "i"
  region = "north"
  size   = 2
}
resource "probe_everything" "e" {
  name = "e"
  one  = { s = "x" }
}

import {
  to = probe_identified.x
  id = "south:gone"
}
resource "probe_identified" "x" {
  name = "x"
  region = "r"
}
