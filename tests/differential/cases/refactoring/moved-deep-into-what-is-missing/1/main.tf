module "one" {
  source = "./m"
}
resource "terraform_data" "a" {}
