terraform {
  required_providers {
    null = { 
      source = "hashicorp/null" 
      configuration_aliases = [null.a]
    }
  }
}
resource "null_resource" "x" { provider = null.a }
