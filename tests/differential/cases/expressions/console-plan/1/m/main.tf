variable "v" {}
resource "terraform_data" "in" {
  input = var.v
}
output "o" {
  value = terraform_data.in.output
}
output "p" {
  value = upper(var.v)
}
