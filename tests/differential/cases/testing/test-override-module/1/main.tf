module "m" {
  source = "./m"
  count  = 2
}
module "n" {
  source = "./m"
}
output "m" {
  value = module.m[*].o
}
output "n" {
  value = [module.n.o, module.n.other]
}
