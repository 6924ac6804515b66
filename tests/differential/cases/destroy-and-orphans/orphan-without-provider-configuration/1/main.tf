provider "terraform" {
  alias = "other"
}
resource "terraform_data" "r" {
  provider = terraform.other
}
resource "terraform_data" "plain" {}
module "m" {
  source = "./m"
}
