provider "null" { alias = "a" }
module "c" {
  source = "./x"
  providers = { null.b = null.a }
}
