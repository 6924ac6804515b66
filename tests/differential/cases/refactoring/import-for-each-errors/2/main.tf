import {
  for_each = "text"
  to       = terraform_data.a[each.key]
  id       = each.key
}

resource "terraform_data" "a" {
  for_each = toset(["x"])
}
