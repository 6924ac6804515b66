terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

resource "random_string" "old" {
  length  = 8
  special = false
}
