variable "in" {}
resource "terraform_data" "r" {
  input = var.in
}
output "out" {
  value = terraform_data.r.output
}
