variable "secret" {
  type      = string
  ephemeral = true
}
output "plain" {
  value = var.secret
}
output "nested" {
  value = { list = [1, { deep = var.secret }] }
}
module "child" {
  source = "./child"
  secret = var.secret
}
