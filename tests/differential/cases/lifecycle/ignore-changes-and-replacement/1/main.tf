variable "v" {
  default = "1"
}
resource "terraform_data" "trigger" {
  triggers_replace = var.v
}
resource "terraform_data" "by_trigger" {
  input = var.v
  lifecycle {
    ignore_changes       = [input]
    replace_triggered_by = [terraform_data.trigger]
  }
}
resource "terraform_data" "by_argument" {
  input            = var.v
  triggers_replace = var.v
  lifecycle {
    ignore_changes = [input]
  }
}
resource "terraform_data" "unknown" {
  input = terraform_data.trigger.id
  lifecycle {
    ignore_changes = [input]
  }
}
resource "terraform_data" "all" {
  input = terraform_data.trigger.id
  lifecycle {
    ignore_changes        = all
    create_before_destroy = true
    replace_triggered_by  = [terraform_data.trigger.id]
  }
}
resource "terraform_data" "none" {
  input            = [var.v, terraform_data.trigger.id]
  triggers_replace = terraform_data.trigger.id
  lifecycle {
    ignore_changes = all
  }
}
