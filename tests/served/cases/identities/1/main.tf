terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "terraform_data" "late" {}

resource "probe_identified" "known" {
  name   = "known"
  region = "north"
}

resource "probe_identified" "late" {
  name   = "late"
  region = terraform_data.late.id == "" ? "no" : "south"
}
