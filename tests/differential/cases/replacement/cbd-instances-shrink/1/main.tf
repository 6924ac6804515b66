variable "v" {
  default = 1
}
variable "n" {
  default = 3
}
resource "terraform_data" "below" {
  count            = var.n
  triggers_replace = var.v
}
resource "terraform_data" "top" {
  count            = var.n
  triggers_replace = terraform_data.below[count.index].id
  lifecycle {
    create_before_destroy = true
  }
}
