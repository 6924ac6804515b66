variable "v" {
  default = 1
}
resource "terraform_data" "base" {
  triggers_replace = 1
}
locals {
  base = terraform_data.base.id
}
module "m" {
  source = "./m"
  in     = local.base
  v      = 1
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
