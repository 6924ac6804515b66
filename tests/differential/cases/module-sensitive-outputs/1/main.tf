module "m" {
  source = "./m"
}
module "many" {
  source = "./m"
  count  = 2
}
output "declared" {
  value = module.m.declared
}
output "all" {
  value = module.many[*].declared
}
resource "terraform_data" "r" {
  input = [module.m.declared, module.m.really]
}
output "is" {
  value = [issensitive(module.m.declared), issensitive(module.m.really)]
}
