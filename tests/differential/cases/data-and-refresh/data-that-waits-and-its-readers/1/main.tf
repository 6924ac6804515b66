variable "v" {
  default = "1"
}
resource "terraform_data" "r" {
  input = { path = "out.tfstate", v = var.v }
}
data "terraform_remote_state" "d" {
  backend = "local"
  config  = { path = terraform_data.r.input.path }
}
resource "terraform_data" "update" {
  input = data.terraform_remote_state.d.outputs.a
  lifecycle {
    precondition {
      condition     = data.terraform_remote_state.d.outputs.a == "A"
      error_message = "Not A."
    }
  }
}
resource "terraform_data" "replace" {
  triggers_replace = data.terraform_remote_state.d.outputs
}
resource "terraform_data" "reader" {
  input = terraform_data.update.output
}
output "o" {
  value = data.terraform_remote_state.d.outputs.a
}
