terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_legacy" "l" {
  name = "l"
  text = "t"
  count_of = 5
  rule {
    port = 80
  }
  rule {}
}
output "text" {
  value = probe_legacy.l.text
}
