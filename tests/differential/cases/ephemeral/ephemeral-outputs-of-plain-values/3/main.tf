variable "secret" {
  type      = string
  ephemeral = true
}
module "m" {
  source = "./m"
  secret = var.secret
}
output "user" {
  value = module.m.partial.user
}
output "plain" {
  value = module.m.plain
}
resource "terraform_data" "r" {
  input = module.m.partial
}
resource "terraform_data" "repeated" {
  for_each = module.m.partial
}
