resource "tfe_team" "operators" {
  organization = "acme"
  name         = "operators-${var.round}"
  visibility   = var.round == "one" ? "secret" : "organization"
  organization_access {
    manage_workspaces = var.round == "two"
    read_projects     = true
    read_workspaces   = true
  }
}

resource "tfe_workspace" "shared" {
  organization = "acme"
  name         = "with-team"
}

resource "tfe_project" "shared" {
  organization = "acme"
  name         = "with-team"
}

resource "tfe_team_access" "workspace" {
  team_id      = tfe_team.operators.id
  workspace_id = tfe_workspace.shared.id
  access       = var.round == "one" ? "read" : "write"
}

resource "tfe_team" "reviewers" {
  organization = "acme"
  name         = "reviewers"
}

resource "tfe_team_access" "custom" {
  team_id      = tfe_team.reviewers.id
  workspace_id = tfe_workspace.shared.id
  permissions {
    runs              = var.round == "one" ? "read" : "apply"
    variables         = "read"
    state_versions    = "read-outputs"
    sentinel_mocks    = "none"
    workspace_locking = var.round == "two"
    run_tasks         = false
  }
}

resource "tfe_team_project_access" "project" {
  team_id    = tfe_team.operators.id
  project_id = tfe_project.shared.id
  access     = var.round == "one" ? "read" : "maintain"
}

resource "tfe_team_project_access" "custom" {
  team_id    = tfe_team.reviewers.id
  project_id = tfe_project.shared.id
  access     = "custom"
  project_access {
    settings = var.round == "one" ? "read" : "update"
    teams    = "none"
  }
  workspace_access {
    runs      = "plan"
    variables = var.round == "one" ? "none" : "write"
  }
}

resource "tfe_team_token" "token" {
  team_id = tfe_team.operators.id
}

resource "tfe_organization_membership" "member" {
  organization = "acme"
  email        = "member@example.com"
}

resource "tfe_team_organization_member" "member" {
  team_id                    = tfe_team.operators.id
  organization_membership_id = tfe_organization_membership.member.id
}

data "tfe_team" "read" {
  organization = "acme"
  name         = tfe_team.operators.name
}

data "tfe_teams" "all" {
  organization = "acme"
  depends_on   = [tfe_team.operators, tfe_team.reviewers]
}
