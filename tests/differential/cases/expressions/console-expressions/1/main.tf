variable "v" {
  default = "default"
}
locals {
  l = { k = var.v }
}
resource "terraform_data" "r" {
  input = { list = [1, 2], text = "line\nline" }
}
resource "terraform_data" "many" {
  count = 1
}
module "m" {
  source = "./m"
}
