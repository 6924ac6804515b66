variable "v" {
  default = "1"
}
resource "terraform_data" "r" {
  input = { path = "out.tfstate", v = var.v }
}
locals {
  path = terraform_data.r.input.path
}
module "m" {
  source = "./m"
  v      = var.v
}
data "terraform_remote_state" "direct" {
  backend = "local"
  config  = { path = terraform_data.r.input.path }
}
data "terraform_remote_state" "defaults" {
  backend  = "local"
  config   = { path = "out.tfstate" }
  defaults = { v = terraform_data.r.input.v }
}
data "terraform_remote_state" "local" {
  backend = "local"
  config  = { path = local.path }
}
data "terraform_remote_state" "output" {
  backend = "local"
  config  = { path = module.m.depends }
}
data "terraform_remote_state" "count" {
  count   = length(terraform_data.r.input) - 1
  backend = "local"
  config  = { path = "out.tfstate" }
}
data "terraform_remote_state" "chained" {
  backend  = "local"
  config   = { path = "out.tfstate" }
  defaults = { a = data.terraform_remote_state.direct.outputs.a }
}
data "terraform_remote_state" "precondition" {
  backend = "local"
  config  = { path = local.path }
  lifecycle {
    precondition {
      condition     = terraform_data.r.input.v != ""
      error_message = "Empty."
    }
  }
}
