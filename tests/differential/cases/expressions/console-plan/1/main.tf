variable "v" {
  default = "d"
  validation {
    condition     = var.v != "no"
    error_message = "Not no."
  }
}
locals {
  n = "n-${terraform_data.one.output}"
}
resource "terraform_data" "one" {
  input = var.v
}
resource "terraform_data" "many" {
  count = 2
  input = "${var.v}-${count.index}"
}
resource "terraform_data" "each" {
  for_each = { a = 1 }
  input    = each.value
}
module "m" {
  source = "./m"
  v      = var.v
}
