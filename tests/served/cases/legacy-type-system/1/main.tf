terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_legacy" "l" {
  name = "l"
  
  rule {
    port = 80
  }
  
}
output "text" {
  value = probe_legacy.l.text
}
