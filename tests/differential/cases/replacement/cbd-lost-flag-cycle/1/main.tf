variable "v" {
  default = 1
}
resource "terraform_data" "below" {
}
resource "terraform_data" "top" {
  input            = terraform_data.below.id
  triggers_replace = var.v
  lifecycle {
    create_before_destroy = true
  }
}
