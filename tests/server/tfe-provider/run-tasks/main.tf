resource "tfe_organization_run_task" "scan" {
  organization = "acme"
  name         = "scan-${var.round}"
  url          = "${var.receiver}/${var.round}"
  description  = var.round
  enabled      = var.round == "two"
}

resource "tfe_organization_run_task_global_settings" "scan" {
  task_id           = tfe_organization_run_task.scan.id
  enabled           = var.round == "one"
  enforcement_level = var.round == "one" ? "advisory" : "mandatory"
  stages            = ["pre_plan", "post_plan"]
}

resource "tfe_workspace" "checked" {
  organization = "acme"
  name         = "with-run-task"
}

resource "tfe_workspace_run_task" "scan" {
  workspace_id      = tfe_workspace.checked.id
  task_id           = tfe_organization_run_task.scan.id
  enforcement_level = var.round == "one" ? "advisory" : "mandatory"
  stages            = var.round == "one" ? ["post_plan"] : ["pre_plan", "pre_apply"]
}

data "tfe_organization_run_task" "read" {
  organization = "acme"
  name         = tfe_organization_run_task.scan.name
}
