provider "null" {}
module "c" {
  source = "./x"
  providers = { null = null }
}
