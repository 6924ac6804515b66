variable "secret" {
  type      = string
  ephemeral = true
}
variable "both" {
  type      = string
  default   = "b"
  ephemeral = true
  sensitive = true
}
locals {
  upper  = upper(var.secret)
  object = { secret = var.secret, plain = "p", list = [1, var.both] }
  picked = var.secret == "hidden-1" ? "yes" : "no"
  each   = [for name in ["a", "b"] : "${name}-${var.secret}"]
}
module "child" {
  source = "./child"
  given  = local.object.secret
  plain  = local.object.plain
}
output "nulls" {
  value     = ephemeralasnull(local.object)
  sensitive = true
}
output "null" {
  value = ephemeralasnull(local.picked)
}
output "list" {
  value = ephemeralasnull(local.each)
}
output "mixed" {
  value     = ephemeralasnull({ a = sensitive("s"), b = var.both })
  sensitive = true
}
output "from_child" {
  value = ephemeralasnull(module.child.back)
}
output "plain_of_child" {
  value = module.child.plain
}
output "whole_child" {
  value = ephemeralasnull(module.child)
}
resource "terraform_data" "plain" {
  input = module.child.plain
}
