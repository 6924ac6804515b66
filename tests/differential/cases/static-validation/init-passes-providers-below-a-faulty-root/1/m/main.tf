terraform {
  required_providers {
    foo = {
      source                = "terraform.io/builtin/terraform"
      configuration_aliases = [foo.needed]
    }
  }
}
