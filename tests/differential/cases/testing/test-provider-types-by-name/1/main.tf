terraform {
  required_providers {
    b = {
      source                = "x/b"
      configuration_aliases = [b.q]
    }
  }
}
