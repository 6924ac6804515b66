variable "secret" {
  type      = string
  ephemeral = true
}
output "declared" {
  value     = var.secret
  ephemeral = true
}
output "plain" {
  value = var.secret
}
output "nested" {
  value = { list = [1, { deep = var.secret }] }
}
output "sensitive" {
  value     = sensitive(var.secret)
  sensitive = true
}
module "child" {
  source = "./child"
  secret = var.secret
}
