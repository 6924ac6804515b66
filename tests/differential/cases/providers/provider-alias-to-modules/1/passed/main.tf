terraform {
  required_providers {
    null = {
      source                = "hashicorp/null"
      configuration_aliases = [null.one, null.two]
    }
  }
}

resource "null_resource" "one" {
  provider = null.one
}

resource "null_resource" "two" {
  provider = null.two
  triggers = { one = null_resource.one.id }
}
