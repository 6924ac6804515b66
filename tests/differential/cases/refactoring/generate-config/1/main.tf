terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

import {
  to = random_password.p
  id = "abcdefgh"
}
