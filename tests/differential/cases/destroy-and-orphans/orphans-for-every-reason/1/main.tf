resource "terraform_data" "single" {}
resource "terraform_data" "counted" {
  count = 1
}
resource "terraform_data" "zero" {
  count = 0
}
resource "terraform_data" "each" {
  for_each = toset(["a"])
}
module "counted" {
  source = "./m"
  count  = 1
}
module "each" {
  source   = "./m"
  for_each = toset(["a"])
}
module "single" {
  source = "./m"
}
