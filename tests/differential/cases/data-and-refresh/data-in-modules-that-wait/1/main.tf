variable "v" {
  default = "1"
}
module "m" {
  source   = "./m"
  for_each = { changes = var.v, same = "1" }
  v        = each.value
}
module "none" {
  source = "./m"
  count  = 0
  v      = var.v
}
module "n" {
  source     = "./n"
  count      = 1
  depends_on = [module.m]
}
module "o" {
  source     = "./n"
  depends_on = [module.none]
}
output "a" {
  value = [for m in module.m : m.a]
}
