resource "terraform_data" "below" {}
resource "terraform_data" "a" {
  input = terraform_data.below.id
}
