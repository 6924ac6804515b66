resource "tfe_workspace" "watched" {
  organization = "acme"
  name         = "with-notifications"
}

resource "tfe_notification_configuration" "generic" {
  workspace_id     = tfe_workspace.watched.id
  name             = "generic-${var.round}"
  enabled          = var.round == "two"
  destination_type = "generic"
  url              = "${var.receiver}/${var.round}"
  triggers         = var.round == "one" ? ["run:created"] : ["run:completed", "run:errored"]
}

resource "tfe_notification_configuration" "slack" {
  workspace_id     = tfe_workspace.watched.id
  name             = "slack"
  enabled          = true
  destination_type = "slack"
  url              = var.receiver
  triggers         = ["run:needs_attention"]
}
