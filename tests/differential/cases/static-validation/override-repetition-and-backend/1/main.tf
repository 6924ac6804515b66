resource "terraform_data" "a" {
  count = 1
}
module "m" {
  source = "./m"
  for_each = {}
}
