import {
  to = terraform_data.a
  id = null
}
resource "terraform_data" "a" {
  nope = 1
}
import {
  to = terraform_dat.b
  id = null
}
resource "terraform_dat" "b" {
  nope = 1
}
