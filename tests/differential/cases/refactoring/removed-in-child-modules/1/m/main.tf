module "low" {
  source = "../low"
}
resource "terraform_data" "own" {}
resource "terraform_data" "kept" {}
