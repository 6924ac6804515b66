module "types" {
  source = "./m"
  a      = "x"
  b      = ["y"]
  c      = { x = ["z"] }
}
module "nulls" {
  source = "./m"
  a      = null
  b      = null
  c      = null
}
module "errors" {
  source = "./m"
  a      = [][0]
  b      = 1 / 0
  c      = { x = {} }
}
module "each" {
  source   = "./m"
  for_each = { p = "1", q = "no" }
  a        = each.value
  b        = each.nope
}
