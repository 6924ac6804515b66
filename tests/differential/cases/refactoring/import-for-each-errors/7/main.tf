import {
  for_each = null
  to       = terraform_data.a[each.key]
  id       = each.value
}

resource "terraform_data" "a" {
  for_each = toset(["x"])
}
