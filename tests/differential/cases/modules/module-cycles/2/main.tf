module "a" {
  source     = "./m"
  in         = 1
  depends_on = [module.b]
}
module "b" {
  source = "./m"
  in     = 1
  count  = length(module.a.out)
}
