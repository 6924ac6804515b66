variable "x" {
  default    = 1
  deprecated = var.y
}
variable "z" {
  deprecated = []
}
output "null" {
  value      = 1
  deprecated = null
}
module "m" {
  source                     = "./m"
  ignore_nested_deprecations = true
}
