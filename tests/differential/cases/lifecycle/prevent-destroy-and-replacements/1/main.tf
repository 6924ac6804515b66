variable "v" {
  default = "1"
}
resource "terraform_data" "trigger" {
  input = var.v
}
resource "terraform_data" "by_argument" {
  triggers_replace = var.v
  lifecycle {
    prevent_destroy = true
  }
}
resource "terraform_data" "by_trigger" {
  lifecycle {
    prevent_destroy      = true
    replace_triggered_by = [terraform_data.trigger]
  }
}
resource "terraform_data" "first" {
  triggers_replace = var.v
  lifecycle {
    prevent_destroy       = true
    create_before_destroy = true
  }
}
resource "terraform_data" "updated" {
  input = var.v
  lifecycle {
    prevent_destroy = true
  }
}
