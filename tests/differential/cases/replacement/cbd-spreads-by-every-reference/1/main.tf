resource "terraform_data" "depends" {}
resource "terraform_data" "data" {
  input = "out.tfstate"
}
resource "terraform_data" "count" {
  input = 1
}
resource "terraform_data" "precondition" {}
resource "terraform_data" "postcondition" {}
resource "terraform_data" "provisioner" {}
resource "terraform_data" "trigger" {}
resource "terraform_data" "ignored" {}
resource "terraform_data" "output" {}
resource "terraform_data" "check" {}
data "terraform_remote_state" "d" {
  backend    = "local"
  config     = { path = terraform_data.data.output }
  defaults   = { a = 1 }
}
module "m" {
  source = "./m"
}
module "w" {
  source = "./w"
}
resource "terraform_data" "top" {
  count      = length(terraform_data.count[*].id)
  input      = [data.terraform_remote_state.d.defaults, module.m.id, module.m.fixed]
  depends_on = [terraform_data.depends, module.w]
  provisioner "local-exec" {
    command = "exit 0 # ${terraform_data.provisioner.id}"
  }
  lifecycle {
    create_before_destroy = true
    replace_triggered_by  = [terraform_data.trigger]
    precondition {
      condition     = terraform_data.precondition.id != ""
      error_message = "Empty."
    }
    postcondition {
      condition     = terraform_data.postcondition.id != self.id
      error_message = "Equal."
    }
  }
}
output "o" {
  value = terraform_data.output.id
  depends_on = [terraform_data.top]
}
check "c" {
  assert {
    condition     = terraform_data.check.id != terraform_data.top[0].id
    error_message = "Equal."
  }
}
