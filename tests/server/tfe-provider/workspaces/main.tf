resource "tfe_workspace" "network" {
  organization                  = "acme"
  name                          = "network"
  description                   = var.round
  working_directory             = "net"
  terraform_version             = var.round == "one" ? "1.11.0" : "~> 1.11.0"
  trigger_prefixes              = ["/lib", var.round]
  queue_all_runs                = false
  auto_apply                    = var.round == "two"
  assessments_enabled           = var.round == "two"
  allow_destroy_plan            = var.round == "one"
  file_triggers_enabled         = var.round == "one"
  structured_run_output_enabled = false
  tag_names                     = ["net", var.round]
}

resource "tfe_workspace" "local" {
  organization = "acme"
  name         = "local"
}

resource "tfe_workspace_settings" "local" {
  workspace_id              = tfe_workspace.local.id
  execution_mode            = var.round == "one" ? "local" : "remote"
  global_remote_state       = false
  remote_state_consumer_ids = var.round == "one" ? [] : [tfe_workspace.network.id]
}

resource "tfe_workspace" "application" {
  organization                   = "acme"
  name                           = "application"
  description                    = var.round
  auto_destroy_activity_duration = var.round == "one" ? "14d" : "2d"
  tags = {
    environment = var.round
  }
}

resource "tfe_run_trigger" "application" {
  workspace_id  = tfe_workspace.application.id
  sourceable_id = tfe_workspace.network.id
}

data "tfe_workspace" "read" {
  organization = "acme"
  name         = tfe_workspace.network.name
}

data "tfe_workspace_ids" "tagged" {
  organization = "acme"
  tag_names    = ["net"]
  depends_on   = [tfe_workspace.network]
}
