terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

import {
  to = random_integer.i[0]
  id = "7,1,10"
}
