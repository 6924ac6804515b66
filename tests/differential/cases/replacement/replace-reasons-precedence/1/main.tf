variable "v" {
  default = "1"
}
resource "terraform_data" "tainted_and_requested" {}
resource "terraform_data" "tainted_and_changed" {
  input            = var.v
  triggers_replace = var.v
}
resource "terraform_data" "requested_and_changed" {
  input            = var.v
  triggers_replace = var.v
}
resource "terraform_data" "tainted" {
  count = 2
  lifecycle {
    create_before_destroy = true
  }
}
