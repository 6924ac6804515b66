variable "v" {
  default = 1
}
resource "terraform_data" "a" {
  count = 2
}
resource "terraform_data" "b" {}
locals {
  b = terraform_data.b.id
}
data "terraform_remote_state" "d" {
  backend    = "local"
  config     = { path = "out.tfstate" }
  defaults   = { a = terraform_data.b.output }
}
module "m" {
  source = "./m"
}
module "n" {
  source     = "./m"
  depends_on = [terraform_data.a]
}
resource "terraform_data" "instance" {
  depends_on = [terraform_data.a[1]]
}
resource "terraform_data" "data" {
  depends_on = [data.terraform_remote_state.d]
}
resource "terraform_data" "values" {
  depends_on = [var.v, local.b]
}
resource "terraform_data" "module" {
  depends_on = [module.m]
}
resource "terraform_data" "output" {
  depends_on = [module.m.id]
}
resource "terraform_data" "none" {
  depends_on = [module.n.none]
}
