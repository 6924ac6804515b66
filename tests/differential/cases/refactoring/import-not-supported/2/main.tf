terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

import {
  to = random_uuid.a
  id = "no uuid"
}

resource "random_uuid" "a" {
}
