resource "tfe_registry_provider" "tools" {
  organization = "acme"
  name         = "tools-${var.round}"
}

resource "tfe_registry_module" "network" {
  organization    = "acme"
  name            = "network-${var.round}"
  module_provider = "aws"
  registry_name   = "private"
}

data "tfe_registry_provider" "read" {
  organization = "acme"
  name         = tfe_registry_provider.tools.name
}
