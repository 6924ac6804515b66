variable "a" {
  count        = 1
  deprecatd    = "old"
  descriptions = "a"
}

output "b" {
  value      = 1
  typ        = string
  deprecates = "old"
}

resource "terraform_data" "c" {
  lifecycle {
    destory         = false
    enable          = true
    prevent_destory = true
    action_triger {
    }
  }
}

import {
  to       = terraform_data.c
  id       = "x"
  identiti = {}
}

acton "x" "y" {
}

languages {
}

terraform {
  encrypton {
  }
}
