variable "name" {}
resource "terraform_data" "r" {
  input            = { name = var.name, tags = ["x", var.name] }
  triggers_replace = var.name == "b" ? 1 : null
}
module "inner" {
  source = "./inner"
  name   = terraform_data.r.output.name
}
output "id" {
  value = terraform_data.r.id
}
