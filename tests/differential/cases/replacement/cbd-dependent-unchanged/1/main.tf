variable "v" {
  default = "1"
}
variable "n" {
  default = 1
}
resource "terraform_data" "base" {
  input = var.v
}
resource "terraform_data" "made_new" {
  triggers_replace = var.v
}
resource "terraform_data" "top" {
  input = terraform_data.base.id
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "counted" {
  count = var.n
  input = terraform_data.made_new.id
  lifecycle {
    create_before_destroy = true
  }
}
