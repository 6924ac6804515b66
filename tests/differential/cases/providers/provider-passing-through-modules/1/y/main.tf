resource "null_resource" "x" {}
module "e" {
  source = "../z"
  providers = { null = null }
}
