variable "max" {
  default = 1
}
module "counted" {
  source = "./m"
  count  = 3
  n      = count.index
  max    = var.max
}
module "each" {
  source   = "./m"
  for_each = { a = 1, b = 5 }
  n        = each.value
  max      = var.max
}
