resource "terraform_data" "a" {
  for_each = {}
}
module "m" {
  count = 1
}
