resource "terraform_data" "a" {
  input = "x"
}
import {
  to = terraform_data.a
  id = "given"
}
