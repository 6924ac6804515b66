module "counted" {
  source = "./m"
  count  = 1
  name   = "changed"
}
module "each" {
  source   = "./m"
  for_each = toset(["a", "b"])
  name     = each.key
}
