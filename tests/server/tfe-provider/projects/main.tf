resource "tfe_project" "platform" {
  organization = "acme"
  name         = "platform"
  description  = var.round
  tags = {
    team = var.round
  }
}

resource "tfe_project_settings" "platform" {
  project_id             = tfe_project.platform.id
  default_execution_mode = var.round == "one" ? "local" : "remote"
}

resource "tfe_variable_set" "project" {
  organization = "acme"
  name         = "of-a-project"
}

resource "tfe_project_variable_set" "project" {
  variable_set_id = tfe_variable_set.project.id
  project_id      = tfe_project.platform.id
}

data "tfe_project" "read" {
  organization = "acme"
  name         = tfe_project.platform.name
}

data "tfe_projects" "all" {
  organization = "acme"
  depends_on   = [tfe_project.platform]
}
