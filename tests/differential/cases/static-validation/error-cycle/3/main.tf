module "m" {
  source = "./m"
  in     = module.m.out
}
