terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

resource "random_integer" "reversed" {
  min = 10
  max = 1
}

resource "random_string" "no_characters" {
  length  = 5
  upper   = false
  lower   = false
  numeric = false
  special = false
}

resource "random_string" "minimums" {
  length    = 3
  min_lower = 2
  min_upper = 2
}
