variable "in" {
}
variable "v" {
}
resource "terraform_data" "r" {
  triggers_replace = [var.in, var.v]
}
resource "terraform_data" "beside" {
  triggers_replace = var.v
}
output "id" {
  value = terraform_data.r.id
}
