terraform {
  required_providers {
    null = { source = "hashicorp/null" }
  }
}
provider "null" { alias = "a" }
import {
  to = null_resource.a
  id = "x"
  provider = null.a
}
import {
  to = null_resource.b
  id = "x"
  provider = null.nope
}
import {
  to = null_resource.c
  id = "x"
  provider = random
}
import {
  to = null_resource.d
  id = "x"
  provider = null.a
}
resource "null_resource" "a" {}
resource "null_resource" "c" {}
resource "null_resource" "d" { provider = null.a }
