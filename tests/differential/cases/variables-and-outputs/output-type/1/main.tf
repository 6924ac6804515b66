module "all" {
  source = "./m"
  count  = 2
}
module "none" {
  source   = "./m"
  for_each = {}
}
module "some" {
  source   = "./untyped"
  for_each = toset(["a"])
}
output "list" {
  value = module.all
}
output "map" {
  value = module.none
}
output "object" {
  value = module.some
}
output "splat" {
  value = module.all[*].o.b
}
output "number" {
  type  = number
  value = "12"
}
output "null" {
  type  = list(string)
  value = null
}
output "sensitive" {
  type      = map(string)
  sensitive = true
  value     = { a = 1 }
}
