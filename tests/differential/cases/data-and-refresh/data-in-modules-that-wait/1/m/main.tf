variable "v" {}
resource "terraform_data" "r" {
  input = var.v
}
data "terraform_remote_state" "d" {
  backend  = "local"
  config   = { path = "out.tfstate" }
  defaults = { v = terraform_data.r.input }
}
output "a" {
  value = data.terraform_remote_state.d.outputs.a
}
