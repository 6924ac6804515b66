terraform {
  required_providers {
    null = { 
      source = "hashicorp/null" 
      configuration_aliases = [null.b]
    }
  }
}
resource "null_resource" "x" {}
module "d" {
  source = "../y"
  providers = { null = null.b }
}
