variable "v" {}
resource "terraform_data" "trigger" {
  input            = "same"
  triggers_replace = [var.v, "constant"]
}
resource "terraform_data" "cbd" {
  input            = var.v
  triggers_replace = terraform_data.trigger.id
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "triggered_by" {
  lifecycle {
    replace_triggered_by = [terraform_data.trigger]
  }
}
resource "terraform_data" "reader" {
  input = "reads ${terraform_data.cbd.id}"
}
