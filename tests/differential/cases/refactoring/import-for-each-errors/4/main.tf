import {
  for_each = sensitive({ x = "1" })
  to       = terraform_data.a[each.value]
  id       = each.key
}

resource "terraform_data" "a" {
  for_each = toset(["1"])
}
