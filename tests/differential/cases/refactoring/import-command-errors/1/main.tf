terraform {
  required_providers {
    random = { source = "hashicorp/random" }
    null   = { source = "hashicorp/null" }
  }
}

resource "random_pet" "a" {}

resource "null_resource" "z" {}

resource "random_id" "c" {
  count       = 2
  byte_length = 3
}

resource "random_integer" "e" {
  min = 1
  max = 10
}

module "m" {
  source = "./sub"
  count  = 1
}
