provider "terraform" {
  alias = "inner"
}
resource "terraform_data" "in" {
  provider = terraform.inner
}
