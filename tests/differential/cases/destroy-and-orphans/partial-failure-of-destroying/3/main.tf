resource "terraform_data" "base" {}
resource "terraform_data" "middle" {
  count = 2
}
