variable "in" {
  default = 1
}
resource "terraform_data" "in" {}
resource "terraform_data" "beside" {}
output "id" {
  value = terraform_data.in.id
}
output "none" {
  value = 1
}
