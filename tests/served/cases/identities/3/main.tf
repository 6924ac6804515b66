terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "terraform_data" "late" {}

resource "probe_identified" "known" {
  name   = "renamed"
  region = "north"
  size   = 2
}

moved {
  from = probe_identified.late
  to   = probe_identified.moved
}

resource "probe_identified" "moved" {
  name   = "late"
  region = terraform_data.late.id == "" ? "no" : "south"

  lifecycle {
    create_before_destroy = true
  }
}
