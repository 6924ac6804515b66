variable "v" {
  default = "x"
}

variable "checked" {
  default = 1
  validation {
    condition     = var.checked > local.least
    error_message = "Too small."
  }
}

locals {
  least = 0
  id    = terraform_data.a.id
}

provider "terraform" {}

provider "terraform" {
  alias = "unused"
}

resource "terraform_data" "a" {
  input = var.v
}

resource "terraform_data" "b" {
  count      = 2
  input      = local.id
  depends_on = [module.c]
}

module "b" {
  source = "./b"
  x      = terraform_data.a.output
}

module "a" {
  source = "./a"
}

module "c" {
  source = "./c"
}

data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = "${module.b.y}.tfstate" }
  defaults = {}
}

output "o" {
  value = terraform_data.b[*].id
}

check "x" {
  data "terraform_remote_state" "scoped" {
    backend = "local"
    config  = { path = terraform_data.b[0].id }
  }
  assert {
    condition     = data.terraform_remote_state.scoped.outputs == {}
    error_message = "Not empty."
  }
}
