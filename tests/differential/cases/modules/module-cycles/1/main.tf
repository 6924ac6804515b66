module "a" {
  source = "./m"
  in     = module.b.out
}
module "b" {
  source = "./m"
  in     = module.a.out
}
