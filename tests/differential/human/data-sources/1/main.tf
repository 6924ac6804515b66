resource "terraform_data" "r" {
  input = "x"
}
data "terraform_remote_state" "now" {
  backend = "local"
  config  = { path = "other.tfstate" }
}
data "terraform_remote_state" "config_unknown" {
  backend = "local"
  config  = { path = terraform_data.r.id == "x" ? "x" : "other.tfstate" }
}
data "terraform_remote_state" "depends" {
  backend    = "local"
  config     = { path = "other.tfstate" }
  depends_on = [terraform_data.r]
}
output "now" {
  value = data.terraform_remote_state.now.outputs
}
output "later" {
  value = data.terraform_remote_state.depends.outputs.a
}
