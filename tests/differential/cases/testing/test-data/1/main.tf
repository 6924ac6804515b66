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
data "terraform_remote_state" "r" {
  backend    = "local"
  config     = { path = "${path.module}/s.tfstate" }
  depends_on = [terraform_data.a]
}
