resource "tfe_organization" "managed" {
  name                          = "managed"
  email                         = "ops-${var.round}@example.com"
  assessments_enforced          = var.round == "two"
  allow_force_delete_workspaces = var.round == "two"
}

resource "tfe_organization_default_settings" "defaults" {
  organization           = tfe_organization.managed.name
  default_execution_mode = var.round == "one" ? "local" : "remote"
}

resource "tfe_organization_membership" "grace" {
  organization = tfe_organization.managed.name
  email        = "grace-${var.round}@example.com"
}

resource "tfe_organization_token" "token" {
  organization = tfe_organization.managed.name
}

data "tfe_organization" "read" {
  name = tfe_organization.managed.name
}

data "tfe_organizations" "all" {
  depends_on = [tfe_organization.managed]
}

data "tfe_organization_membership" "read" {
  organization = tfe_organization.managed.name
  email        = tfe_organization_membership.grace.email
}
