variable "v" {}
resource "terraform_data" "inside" {
  triggers_replace = var.v
}
output "id" {
  value = terraform_data.inside.id
}
