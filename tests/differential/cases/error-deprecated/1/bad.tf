variable "x" {
  default    = 1
  deprecated = var.y
}
module "m" {
  source                     = "./m"
  ignore_nested_deprecations = "yes"
}
