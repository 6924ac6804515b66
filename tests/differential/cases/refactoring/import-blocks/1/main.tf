terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

import {
  to = terraform_data.plain
  id = "plain-id"
}

import {
  to = terraform_data.counted[1]
  id = "counted-id"
}

import {
  for_each = { x = "oneA", y = "twoA" }
  to       = random_id.each[each.key]
  id       = each.value
}

import {
  for_each = ["a", "b"]
  to       = module.child[each.value].terraform_data.inner
  id       = "inner-${each.key}-${local.suffix}"
}

locals {
  suffix = "end"
}

resource "terraform_data" "plain" {
}

resource "terraform_data" "counted" {
  count = 2
  input = count.index
}

resource "random_id" "each" {
  for_each    = toset(["x", "y"])
  byte_length = 3
}

module "child" {
  for_each = toset(["a", "b"])
  source   = "./child"
}

output "ids" {
  value = [terraform_data.plain.id, random_id.each["x"].hex, module.child["a"].id]
}
