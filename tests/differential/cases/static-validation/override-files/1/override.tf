variable "v" {
  default = "override.tf"
}

locals {
  replaced = "override.tf"
}

resource "terraform_data" "r" {
  input = "override.tf ${local.replaced}"
  lifecycle {
    ignore_changes = [triggers_replace]
  }
}

module "m" {
  value = "override.tf"
}
