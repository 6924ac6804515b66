terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

import {
  to = random_id.short
  id = "oneA"
}

import {
  to = random_password.kept
  id = "secret value"
}

resource "random_id" "short" {
  byte_length = 5
}

resource "random_password" "kept" {
  length  = 12
  special = true
}

import {
  to = random_uuid.one
  id = "aabbccdd-eeff-0011-2233-445566778899"
}

resource "random_uuid" "one" {
}

output "secret" {
  value     = random_password.kept.result
  sensitive = true
}
