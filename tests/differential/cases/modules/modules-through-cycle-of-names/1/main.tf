module "a" {
  source = "./m"
  one    = "start"
  two    = module.b.one
}
module "b" {
  source = "./m"
  one    = module.a.one
  two    = module.a.two
}
output "all" { value = [module.a, module.b] }
