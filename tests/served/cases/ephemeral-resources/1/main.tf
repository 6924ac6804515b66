terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

ephemeral "probe_lease" "short" {
  name           = "short"
  renew_after_ms = 200
}
ephemeral "probe_lease" "of_unknown" {
  name = probe_planned.p.serial
}
ephemeral "probe_lease" "many" {
  for_each = toset(["a", "b"])
  name     = "many-${each.key}"
}
resource "probe_planned" "p" {
  name = "p"
}
provider "probe" {
  alias  = "with_token"
  region = "south"
  token  = ephemeral.probe_lease.short.token
}
resource "probe_planned" "q" {
  provider   = probe.with_token
  name       = "q"
  label      = terraform_data.wait.id == "" ? "" : "x"
}
resource "terraform_data" "wait" {
  provisioner "local-exec" {
    command = "sleep 1.5"
    environment = {
      TOKEN = ephemeral.probe_lease.short.token
      OTHER = ephemeral.probe_lease.of_unknown.token
      MANY  = ephemeral.probe_lease.many["a"].token
    }
  }
}
locals {
  version = ephemeral.probe_lease.short.version
}
check "lease" {
  assert {
    condition     = ephemeral.probe_lease.short.version == 1
    error_message = "no version"
  }
}

