variable "v" {
  default = 1
}

resource "terraform_data" "trigger" {
  input = var.v
}

resource "terraform_data" "r" {
  triggers_replace = var.v

  lifecycle {
    replace_triggered_by = [terraform_data.trigger]
  }
}

