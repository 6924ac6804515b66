resource "tfe_agent_pool" "pool" {
  organization        = "acme"
  name                = "pool-${var.round}"
  organization_scoped = false
}

resource "tfe_agent_token" "token" {
  agent_pool_id = tfe_agent_pool.pool.id
  description   = var.round
}

resource "tfe_workspace" "private" {
  organization = "acme"
  name         = "in-a-pool"
}

resource "tfe_agent_pool_allowed_workspaces" "pool" {
  agent_pool_id         = tfe_agent_pool.pool.id
  allowed_workspace_ids = [tfe_workspace.private.id]
}

resource "tfe_workspace_settings" "private" {
  workspace_id   = tfe_workspace.private.id
  execution_mode = "agent"
  agent_pool_id  = tfe_agent_pool_allowed_workspaces.pool.agent_pool_id
}

data "tfe_agent_pool" "read" {
  organization = "acme"
  name         = tfe_agent_pool.pool.name
}
