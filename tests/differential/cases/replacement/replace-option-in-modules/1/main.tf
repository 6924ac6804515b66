module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
}
resource "terraform_data" "moved" {}
resource "terraform_data" "orphan" {}
