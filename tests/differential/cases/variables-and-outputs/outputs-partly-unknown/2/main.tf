variable "v" {
  default = 1
}
variable "secret" {
  default   = "s"
  sensitive = true
}
resource "terraform_data" "r" {
  input = [1, var.v]
}
module "m" {
  source = "./m"
  v      = var.v
}
output "part" {
  value = { known = var.v, output = terraform_data.r.output, same = terraform_data.r.id }
}
output "first" {
  value = terraform_data.r.output[0]
}
output "whole" {
  value = module.m.all
}
output "becomes_sensitive" {
  value     = terraform_data.r.output
}
