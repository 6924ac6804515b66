import {
  to = terraform_data.a[5]
  id = "1"
}

resource "terraform_data" "a" {
  count = 2
}
