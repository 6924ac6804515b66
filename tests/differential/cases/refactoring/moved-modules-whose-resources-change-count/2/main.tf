module "keyed" {
  source   = "./m"
  for_each = toset(["b"])
}

moved {
  from = module.keyed["a"]
  to   = module.keyed["b"]
}

module "single" {
  source = "./m"
  count  = 1
}

moved {
  from = module.single
  to   = module.single[0]
}
