variable "v" {
  default = 1
}
module "m" {
  source   = "./m"
  for_each = { a = var.v, b = 1 }
  v        = each.value
}
