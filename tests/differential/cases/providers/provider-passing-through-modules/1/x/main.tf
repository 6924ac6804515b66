terraform {
  required_providers {
    null = { source = "hashicorp/null" }
  }
}
module "d" {
  source = "../y"
}
