terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

resource "random_string" "number_and_numeric" {
  length  = 5
  number  = true
  numeric = false
}

resource "random_password" "wrong_type" {
  length = "five"
}

resource "random_pet" "list_for_map" {
  keepers = ["a"]
}
