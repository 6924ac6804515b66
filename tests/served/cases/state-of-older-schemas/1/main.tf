terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_versioned" "v" {
  name  = "v"
  tags  = ["a", "b"]
  level = 4
}
output "v" {
  value = probe_versioned.v
}
