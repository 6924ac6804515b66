resource "terraform_data" "gone" {}
resource "terraform_data" "needs_gone" {
  input = terraform_data.gone.id
}
resource "terraform_data" "counted" {
  count = 3
}
module "m" {
  source = "./m"
  count  = 2
}
module "gone" {
  source = "./m"
}
