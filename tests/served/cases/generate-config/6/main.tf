terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

import {
  to = probe_legacy.l
  id = "l"
}
