terraform {
  required_providers {
    null = {
      source  = "hashicorp/null"
      version = "~> 3.0"
    }
    random = { source = "hashicorp/random" }
  }
}

module "one" {
  source = "./modules/one"
}

resource "null_resource" "r" {}
resource "random_pet" "p" {}
