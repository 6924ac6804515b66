variable "in" {}
resource "terraform_data" "r" {
  triggers_replace = var.in
}
output "id" {
  value = terraform_data.r.id
}
