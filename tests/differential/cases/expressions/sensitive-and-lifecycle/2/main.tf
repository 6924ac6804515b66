variable "v" {
  default   = "x"
  sensitive = true
}
resource "terraform_data" "input" {
  input = var.v
}
resource "terraform_data" "ignored" {
  input = var.v
  lifecycle {
    ignore_changes = [input]
  }
}
resource "terraform_data" "replaced" {
  triggers_replace = var.v
}
resource "terraform_data" "triggered" {
  lifecycle {
    replace_triggered_by = [terraform_data.input]
  }
}
resource "terraform_data" "triggered_by_attribute" {
  lifecycle {
    replace_triggered_by = [terraform_data.input.input]
  }
}
resource "terraform_data" "checked" {
  lifecycle {
    postcondition {
      condition     = terraform_data.input.input == "x"
      error_message = "Not x."
    }
  }
}
