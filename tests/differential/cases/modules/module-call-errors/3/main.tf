module "both" {
  source   = "./m"
  count    = 1
  for_each = {}
  a        = 1
  b        = ""
}
module "no_source" {
  a = 1
}
module "expression" {
  source = "./${"m"}"
}
module "version" {
  source  = "./m"
  version = "1.0"
  a       = 1
  b       = ""
}
module "null_source" {
  source = null
}
module "empty_source" {
  source = ""
}
module "number_source" {
  source = 5
}
module "each_outside" {
  source = "./m"
  a      = each.key
  b      = count.index
}
module "depends" {
  source     = "./m"
  a          = 1
  b          = ""
  depends_on = [module.nope, "x", 5]
}
