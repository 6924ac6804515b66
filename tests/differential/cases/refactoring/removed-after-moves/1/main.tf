resource "terraform_data" "a" {}
resource "terraform_data" "b" {}
resource "terraform_data" "c" {
  count = 2
}
