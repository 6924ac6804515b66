terraform {
  required_providers {
    mynull = { source = "hashicorp/null" }
  }
}
resource "null_resource" "x" {}
provider "null" {}
module "c" {
  source = "./x"
  providers = { null = mynull }
}
