module "own" {
  source = "./own"
  count  = 1
}
module "own_depends" {
  source     = "./own"
  depends_on = [terraform_data.x]
}
resource "terraform_data" "x" {}
module "own_nested" {
  source   = "./nested"
  for_each = {}
}
