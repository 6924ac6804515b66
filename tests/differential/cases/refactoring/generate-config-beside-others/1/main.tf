terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

import {
  to = random_integer.i
  id = "7,1,10"
}

import {
  to = random_integer.wrong
  id = "7,1"
}

resource "random_pet" "p" {}

output "pet" {
  value = random_pet.p.id
}
