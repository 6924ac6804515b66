module "depends" {
  source     = "./m"
  a          = 1
  b          = ""
  depends_on = [module.nope, terraform_data.x, local.y, var.z, module.depends]
}
module "each_outside" {
  source = "./m"
  a      = each.key
  b      = count.index
}
module "self" {
  source = "./m"
  a      = module.self.o
  b      = ""
}
