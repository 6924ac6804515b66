module "m" {
  source = "./m"
}
module "many" {
  source = "./m"
  count  = 2
}
module "each" {
  source   = "./m"
  for_each = { a = 1 }
}
output "declared" {
  value     = module.m.declared
  sensitive = true
}
output "all" {
  value     = [module.many[*].declared, module.each["a"].declared]
  sensitive = true
}
resource "terraform_data" "r" {
  input = [module.m.declared, module.m.really, "a ${module.m.declared}", [for m in module.many : m.declared]]
}
resource "terraform_data" "whole" {
  input = module.each
}
output "is" {
  value = [issensitive(module.m.declared), issensitive(module.m.really), issensitive(module.m.plain)]
}
output "plain" {
  value = module.m.plain
}
