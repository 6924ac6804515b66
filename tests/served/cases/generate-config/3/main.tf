terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

import {
  to = probe_everything.empty
  id = "empty"
}
