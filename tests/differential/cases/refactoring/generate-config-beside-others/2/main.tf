terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

import {
  for_each = { a = "7,1,10" }
  to       = random_integer.i
  id       = each.value
}
