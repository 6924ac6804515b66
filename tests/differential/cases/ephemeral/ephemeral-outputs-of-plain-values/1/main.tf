variable "secret" {
  type      = string
  ephemeral = true
}
module "m" {
  source = "./m"
  secret = var.secret
}
module "many" {
  source = "./m"
  count  = 2
  secret = var.secret
}
module "taker" {
  source = "./taker"
  given  = [module.m.partial, module.m.plain]
}
output "whole" {
  value = ephemeralasnull(module.m.whole)
}
output "partial" {
  value = ephemeralasnull(module.m.partial)
}
output "nested" {
  value = ephemeralasnull(module.m.nested)
}
output "plain" {
  value = ephemeralasnull(module.m.plain)
}
output "user" {
  value = ephemeralasnull(module.m.partial.user)
}
output "users" {
  value = ephemeralasnull(module.many[*].partial.user)
}
output "shape" {
  value = module.taker.shape
}
