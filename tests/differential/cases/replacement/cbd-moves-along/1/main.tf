variable "v" {
  default = 1
}
resource "terraform_data" "a" {
  input = var.v
  lifecycle {
    create_before_destroy = true
  }
}
