terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

resource "random_string" "r" {}

data "terraform_remote_state" "d" {
}
