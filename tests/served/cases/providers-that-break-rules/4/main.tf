terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_broken" "b" {
  name = "b"
  text = "t"
  how  = "apply-unknown"
}
resource "probe_planned" "other" {
  name = "other"
}
