resource "terraform_data" "comes" {}
resource "terraform_data" "goes" {
  count = 2
}
resource "terraform_data" "explicit" {}
resource "terraform_data" "to_each" {}
resource "terraform_data" "from_each" {
  for_each = toset(["0"])
}
