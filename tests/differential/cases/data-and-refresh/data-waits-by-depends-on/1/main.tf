variable "v" {
  default = "1"
}
variable "n" {
  default = 2
}
resource "terraform_data" "changes" {
  input = var.v
}
resource "terraform_data" "same" {}
resource "terraform_data" "shrinks" {
  count = var.n
}
locals {
  changes = terraform_data.changes.id
}
module "m" {
  source = "./m"
  v      = var.v
}
module "whole" {
  source     = "./d"
  depends_on = [module.m]
}
module "not" {
  source     = "./d"
  depends_on = [terraform_data.same]
}
data "terraform_remote_state" "resource" {
  backend    = "local"
  config     = { path = "out.tfstate" }
  depends_on = [terraform_data.changes]
}
data "terraform_remote_state" "module" {
  backend    = "local"
  config     = { path = "out.tfstate" }
  depends_on = [module.m]
}
data "terraform_remote_state" "local" {
  backend    = "local"
  config     = { path = "out.tfstate" }
  depends_on = [local.changes]
}
data "terraform_remote_state" "same" {
  backend    = "local"
  config     = { path = "out.tfstate" }
  depends_on = [terraform_data.same, module.m.nothing]
}
data "terraform_remote_state" "data" {
  backend    = "local"
  config     = { path = "out.tfstate" }
  depends_on = [data.terraform_remote_state.resource]
}
data "terraform_remote_state" "shrinks" {
  backend    = "local"
  config     = { path = "out.tfstate" }
  depends_on = [terraform_data.shrinks]
}
