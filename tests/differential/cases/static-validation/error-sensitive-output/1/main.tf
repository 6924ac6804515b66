variable "secret" {
  default   = "s"
  sensitive = true
}
resource "terraform_data" "r" {
  input = var.secret
}
module "m" {
  source = "./m"
}
output "variable" {
  value = "x ${var.secret}"
}
output "resource" {
  value = terraform_data.r
}
output "module" {
  value = module.m.secret
}
output "object" {
  value = { a = [var.secret] }
}
