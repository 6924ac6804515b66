locals {
  key = "x"
}

import {
  for_each = { x = "1" }
  to       = terraform_data.a[local.key]
  id       = each.value
}

resource "terraform_data" "a" {
  for_each = toset(["x"])
}
