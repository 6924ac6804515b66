variable "v" {
  default = 1
}

resource "terraform_data" "r" {
  input = { path = "other.tfstate", v = var.v }
}

data "terraform_remote_state" "direct" {
  backend = "local"
  config  = { path = terraform_data.r.input.path }
}

data "terraform_remote_state" "depends" {
  backend    = "local"
  config     = { path = "other.tfstate" }
  depends_on = [terraform_data.r]
}

data "terraform_remote_state" "never" {
  count   = 2
  backend = "local"
  config  = { path = "other.tfstate" }
}

resource "terraform_data" "reads" {
  input = [data.terraform_remote_state.direct.outputs.a, data.terraform_remote_state.depends.outputs.a, data.terraform_remote_state.never[1].outputs.a]
}
