terraform {
  required_providers {
    null = { 
      source = "hashicorp/null" 
      configuration_aliases = [null.a, null.c]
    }
  }
}
resource "null_resource" "x" {}
