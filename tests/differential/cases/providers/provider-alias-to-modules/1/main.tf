terraform {
  required_providers {
    null = {
      source = "hashicorp/null"
    }
  }
}

provider "null" {}

provider "null" {
  alias = "other"
}

resource "null_resource" "default" {}

resource "null_resource" "other" {
  provider = null.other
}

module "implicit" {
  source = "./implicit"
}

module "passed" {
  source = "./passed"
  count  = 2
  providers = {
    null.one = null
    null.two = null.other
  }
}

module "renamed" {
  source = "./implicit"
  providers = {
    null = null.other
  }
}
