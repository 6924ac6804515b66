variable "v" {}
resource "terraform_data" "r" {
  input = var.v
}
output "o" {
  value = terraform_data.r.output
}
