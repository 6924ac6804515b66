variable "v" {
  type    = string
  default = "original"
}

locals {
  kept     = "kept"
  replaced = "original"
}

resource "terraform_data" "r" {
  input            = "original ${local.kept}"
  triggers_replace = ["kept"]
  lifecycle {
    create_before_destroy = true
  }
}

module "m" {
  source = "./m"
  value  = "original"
  kept   = "kept"
}

output "v" {
  value       = var.v
  description = "d"
}

output "all" {
  value = [local.kept, local.replaced, terraform_data.r.output, module.m.value]
}
