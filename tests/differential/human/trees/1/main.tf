resource "terraform_data" "a" {}

module "m" {
  source = "./m"
}

module "n" {
  source = "./m/inner"
}
