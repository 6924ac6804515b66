terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

import {
  to       = probe_identified.nothing
  identity = { region = "north", name = "nothing there" }
}

resource "probe_identified" "nothing" {
  name   = "nothing there"
  region = "north"
}
