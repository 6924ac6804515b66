resource "null_resource" "x" {}
module "d" {
  source = "../y"
  providers = { null = null }
}
