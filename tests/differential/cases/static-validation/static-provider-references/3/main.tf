provider "terraform" {
  foo = 1
}
resource "terraform_data" "x" {}
