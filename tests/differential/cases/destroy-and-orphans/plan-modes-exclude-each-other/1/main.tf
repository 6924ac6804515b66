variable "v" {
  default = 1
}

resource "terraform_data" "one" {
  input = var.v
}

resource "terraform_data" "many" {
  count            = 2
  triggers_replace = var.v
}

resource "terraform_data" "each" {
  for_each = toset(["only"])
}

resource "terraform_data" "none" {
  count = 0
}

data "terraform_remote_state" "d" {
  backend = "local"
  config  = { path = "other.tfstate" }
}
