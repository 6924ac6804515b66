terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

import {
  to = probe_secret.s
  id = "s"
}
