variable "empty" {
  type    = string
  default = ""
}

import {
  to = terraform_data.a
  id = var.empty
}

resource "terraform_data" "a" {
}
