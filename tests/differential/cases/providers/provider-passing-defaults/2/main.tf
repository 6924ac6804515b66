terraform {
  required_providers {
    null = { source = "hashicorp/null" }
  }
}
module "c" {
  source = "./x"
  providers = { null = null }
}
