variable "in" {}
resource "terraform_data" "with" {
  input = var.in
}
resource "terraform_data" "without" {}
output "with" {
  value = terraform_data.with.input
}
output "without" {
  value = terraform_data.without.id
}
