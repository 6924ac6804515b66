terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

resource "random_string" "s" {
  length = 3
}
