variable "name" {
  type    = string
  default = "x"
}
resource "terraform_data" "a" {
  input = var.name
}
output "name" {
  value = terraform_data.a.output
}
output "id" {
  value = terraform_data.a.id
}
resource "terraform_data" "b" {
  count = terraform_data.a.id == "" ? 1 : 0
}
