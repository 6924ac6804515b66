variable "a" {
  type    = string
  default = "native"
}
variable "b" { default = "b" }
resource "terraform_data" "r" {
  input = "native"
  lifecycle { create_before_destroy = true }
}
locals {
  x = 1
  y = "${local.x}-native"
}
output "o" {
  value       = [var.a, var.b, local.x, local.y, local.z, terraform_data.j.input, module.m.out]
  description = "native"
}
module "m" {
  source = "./m"
  in     = "native"
}
