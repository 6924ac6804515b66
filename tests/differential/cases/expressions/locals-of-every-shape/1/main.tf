locals {
  z = local.y
  y = local.x
  x = terraform_data.r
}
locals {
  whole_count = terraform_data.c
  whole_each  = terraform_data.e
  whole_mod   = module.m
  whole_mods  = module.ms
  empty       = terraform_data.none
  empty_each  = terraform_data.none_each
  self_like   = { local = 1 }.local
  unused      = 1 / 1
}
resource "terraform_data" "r" { input = { a = [1] } }
resource "terraform_data" "c" {
  count = 2
  input = count.index
}
resource "terraform_data" "e" {
  for_each = { a = 1, b = 2 }
  input    = "${each.key}=${each.value}"
}
resource "terraform_data" "none" { count = 0 }
resource "terraform_data" "none_each" { for_each = {} }
module "m" { source = "./m" }
module "ms" {
  source   = "./m"
  for_each = toset(["p", "q"])
}
module "mc" {
  source = "./m"
  count  = 2
}
output "z" { value = local.z.output.a[0] }
output "c" { value = [for r in local.whole_count : r.output] }
output "e" { value = { for k, r in local.whole_each : k => r.output } }
output "splat" { value = [terraform_data.c[*].output, values(terraform_data.e)[*].output, module.mc[*].x, values(module.ms)[*].x, terraform_data.none[*].id, module.mc.*.x] }
output "single_splat" { value = terraform_data.r[*].output }
output "mods" { value = [local.whole_mod, local.whole_mods, module.mc] }
output "empties" { value = [local.empty, local.empty_each] }
output "lengths" { value = [length(terraform_data.c), length(local.whole_each), length(module.mc), length(module.ms), length(terraform_data.none), length(local.whole_mod)] }
output "keys" { value = [keys(module.ms), keys(terraform_data.e)] }
output "one" { value = one(terraform_data.none[*].id) }
output "dynamic" { value = [for i in range(2) : terraform_data.c[i].output] }
output "dynamic_key" { value = [for k in ["a", "b"] : terraform_data.e[k].output] }
output "resource_prefix" { value = resource.terraform_data.r.input }
