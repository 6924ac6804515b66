module "no_source" {
}
module "variable_source" {
  source = var.x
}
module "version_of_local" {
  source  = "./m"
  version = "1.0"
}
