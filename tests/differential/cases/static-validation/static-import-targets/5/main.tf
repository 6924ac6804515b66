import {
  to = terraform_data.b[0]
  id = "x"
}
resource "terraform_data" "b" {}
