module "counted" {
  source = "./m"
  count  = 2
  name   = "c${count.index}"
}
module "each" {
  source   = "./m"
  for_each = toset(["a", "b c"])
  name     = each.key
}
