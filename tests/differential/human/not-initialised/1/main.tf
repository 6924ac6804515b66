terraform {
  required_providers {
    null = { source = "hashicorp/null" }
  }
}

module "m" {
  source = "./m"
}

resource "null_resource" "r" {}
