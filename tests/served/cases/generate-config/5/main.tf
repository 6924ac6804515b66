terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

import {
  to = probe_identified.i
  id = "north:i"
}
