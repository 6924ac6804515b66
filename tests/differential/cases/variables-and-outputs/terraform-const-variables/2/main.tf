variable "which" {
  type    = string
  const   = true
  default = "one"
}

locals {
  directory = "./${var.which}"
}

module "m" {
  source = local.directory
}

output "x" {
  value = module.m.x
}
