variable "name" {
  default = "app"
}

terraform {
  backend "local" {
    path = "${local.short}.tfstate"
  }
}

resource "terraform_data" "x" {
  input = "kept"
}

locals {
  short = substr(sha1("x${var.name}"), 0, 8)
}
