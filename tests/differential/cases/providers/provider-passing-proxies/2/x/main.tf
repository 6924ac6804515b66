terraform {
  required_providers {
    null = { 
      source = "hashicorp/null" 
      configuration_aliases = [null.a]
    }
  }
}
provider "null" {
  alias = "a"
}
provider "null" {
  alias = "b"
}
resource "null_resource" "x" { provider = null.a }
