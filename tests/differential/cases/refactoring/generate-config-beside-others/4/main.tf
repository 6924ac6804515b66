terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

import {
  to = module.m.random_integer.i
  id = "7,1,10"
}
