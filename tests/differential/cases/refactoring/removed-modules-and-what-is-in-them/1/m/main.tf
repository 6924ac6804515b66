module "inner" {
  source = "../inner"
}
resource "terraform_data" "kept" {
  count = 2
}
resource "terraform_data" "destroyed" {}
