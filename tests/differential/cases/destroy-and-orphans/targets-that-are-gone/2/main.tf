resource "terraform_data" "counted" {
  count = 1
}
module "m" {
  source = "./m"
  count  = 1
}
