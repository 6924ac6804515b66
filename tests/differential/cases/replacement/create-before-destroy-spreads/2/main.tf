resource "terraform_data" "base" {
  triggers_replace = 2
}
locals {
  base = terraform_data.base.id
}
module "m" {
  source = "./m"
  in     = local.base
  v      = 2
}
resource "terraform_data" "top" {
  triggers_replace = module.m.id
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "above" {
  input = terraform_data.top.id
}
