terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}
resource "random_string" "r" {
  length  = [5]
  special = "maybe"
  keepers = "x"
}
resource "random_shuffle" "s" {
  input = { a = 1 }
}
