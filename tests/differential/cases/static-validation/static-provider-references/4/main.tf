provider "terraform" {
  alias = "x"
  foo   = 1
}
resource "terraform_data" "x" { provider = terraform.y }
resource "terraform_data" "y" { provider = terraform.x }
