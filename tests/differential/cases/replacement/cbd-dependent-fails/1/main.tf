variable "v" {
  type    = number
  default = 1
}
resource "terraform_data" "below" {
  triggers_replace = var.v
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "above" {
  input = [terraform_data.below.id, var.v == 2 ? file("${terraform_data.below.id}.txt") : ""]
}
