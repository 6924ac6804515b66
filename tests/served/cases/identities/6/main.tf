terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

locals {
  objects = { one = { region = "north", name = "renamed" } }
}

import {
  for_each = local.objects
  to       = probe_identified.taken[each.key]
  identity = each.value
}

import {
  to = probe_identified.also
  identity = {
    region = "south"
    name   = "late again"
  }
}

resource "probe_identified" "taken" {
  for_each = local.objects
  name     = each.value.name
  region   = each.value.region
  size     = 3
}

resource "probe_identified" "also" {
  name   = "late again"
  region = "south"
}
