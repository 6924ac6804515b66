provider "null" {
  alias = "x"
}
module "c" {
  source = "./x"
  providers = { null.a = null.x, null.b = null.x }
}
