terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
  provider_meta "probe" {
    module = "other"
  }
}
provider "probe" {
  region = "south"
}
resource "probe_planned" "p" {
  name = "p"
}
data "probe_lookup" "there" {
  name = probe_planned.p.name
}
data "probe_lookup" "missing" {
  name = "missing"
}
data "probe_lookup" "of_unknown" {
  name = "${probe_planned.p.id}-x"
}
provider "probe" {
  alias  = "east"
  region = "east"
}
data "probe_lookup" "east" {
  provider = probe.east
  name     = "p"
}
output "found" {
  value = [data.probe_lookup.there, data.probe_lookup.missing, data.probe_lookup.of_unknown]
}
