resource "tfe_workspace" "target" {
  organization = "acme"
  name         = "with-variables"
}

resource "tfe_variable" "plain" {
  workspace_id = tfe_workspace.target.id
  key          = "size"
  value        = var.round
  description  = "the size, ${var.round}"
  category     = "terraform"
}

resource "tfe_variable" "list" {
  workspace_id = tfe_workspace.target.id
  key          = "zones"
  value        = "[\"${var.round}\"]"
  hcl          = true
  category     = "terraform"
}

resource "tfe_variable" "secret" {
  workspace_id = tfe_workspace.target.id
  key          = "KEY"
  value        = "secret-${var.round}"
  category     = "env"
  sensitive    = true
}

resource "tfe_variable_set" "shared" {
  organization = "acme"
  name         = "shared-${var.round}"
  description  = var.round
  priority     = var.round == "two"
}

resource "tfe_variable_set" "everywhere" {
  organization = "acme"
  name         = "everywhere"
  global       = var.round == "two"
}

resource "tfe_variable" "in_set" {
  variable_set_id = tfe_variable_set.shared.id
  key             = "REGION"
  value           = var.round
  category        = "env"
}

resource "tfe_workspace_variable_set" "link" {
  variable_set_id = tfe_variable_set.shared.id
  workspace_id    = tfe_workspace.target.id
}

data "tfe_variables" "read" {
  workspace_id = tfe_workspace.target.id
  depends_on   = [tfe_variable.plain, tfe_variable.list, tfe_variable.secret]
}

data "tfe_variable_set" "read" {
  organization = "acme"
  name         = tfe_variable_set.shared.name
}
