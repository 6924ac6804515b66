variable "v" {
  default = 1
}
resource "terraform_data" "bottom" {
  triggers_replace = var.v
}
resource "terraform_data" "middle" {
  triggers_replace = terraform_data.bottom.id
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "above" {
  triggers_replace = terraform_data.middle.id
}
