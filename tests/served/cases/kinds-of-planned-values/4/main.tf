terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

variable "plans" {
  type    = any
  default = {}
}
resource "probe_planned" "p" {
  name     = "p"
  kind     = "one"
  size     = 4
  label    = "NAME"
  disks    = [{ kind = "ssd", size = 11 }, { kind = "hdd", size = 20 }]
}
resource "probe_planned" "after" {
  name  = "after"
  label = probe_planned.p.url
}
output "known" {
  value = {
    prefix   = startswith(probe_planned.p.url, "https://")
    null     = probe_planned.p.url == null
    other    = startswith(probe_planned.p.url, "http://")
    length   = length(probe_planned.p.url) > 3
    revision = probe_planned.p.revision
    serial   = probe_planned.p.serial
    colour   = probe_planned.p.colour
    settings = probe_planned.p.settings
  }
}
