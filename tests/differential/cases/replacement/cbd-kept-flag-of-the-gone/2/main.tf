variable "v" {
  default = 1
}
resource "terraform_data" "top" {
  triggers_replace = var.v
  lifecycle {
    create_before_destroy = true
  }
}
