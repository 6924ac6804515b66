variable "v" {}
resource "terraform_data" "in" {
  input = var.v
}
output "all" {
  value = terraform_data.in
}
