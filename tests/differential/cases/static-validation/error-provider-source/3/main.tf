terraform {
  required_providers {
    null = { source = "hashicorp/null" }
  }
}
resource "null_resource" "r" {
  provider = null.absent
}
provider "null" {
  region = "x"
}
module "m" {
  source = "./m"
  providers = {
    null = null.nowhere
  }
}
