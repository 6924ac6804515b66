resource "null_resource" "y" {}
module "c" {
  source = "./x"
  providers = { null = null }
}
