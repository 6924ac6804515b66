import {
  to = terraform_data.b["x"]
  id = "x"
}
import {
  to = terraform_data.c
  id = "x"
}
import {
  to = terraform_data.d
  id = "x"
}
import {
  to = terraform_data.d[0]
  id = null
}
resource "terraform_data" "b" { count = 1 }
resource "terraform_data" "c" { count = 1 }
resource "terraform_data" "d" { for_each = {} }
