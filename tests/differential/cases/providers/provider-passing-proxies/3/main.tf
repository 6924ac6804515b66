module "c" {
  source = "./x"
  providers = { null = null }
}
provider "null" { alias = "z" }
