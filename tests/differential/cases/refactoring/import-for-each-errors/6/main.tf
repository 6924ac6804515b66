import {
  to = terraform_data.a
  id = each.key
}

resource "terraform_data" "a" {
}
