import {
  to = terraform_data.a
  id = var.nothing
}

resource "terraform_data" "a" {
}
