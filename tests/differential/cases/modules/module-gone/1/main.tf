module "stays" {
  source = "./m"
}

module "goes" {
  source = "./m"
  deps   = module.stays.id
}
