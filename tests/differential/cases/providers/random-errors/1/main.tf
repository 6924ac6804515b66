terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

resource "random_string" "short" {
  length = 0
}

resource "random_integer" "no_max" {
  min = 1
}

resource "random_id" "unknown_argument" {
  byte_length = 2
  bytes       = 2
}

resource "random_pet" "computed" {
  id = "x"
}
