terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "terraform_data" "late" {}

resource "probe_identified" "moved" {
  name   = "late again"
  region = terraform_data.late.id == "" ? "no" : "south"

  lifecycle {
    create_before_destroy = true
  }
}
