resource "terraform_data" "a" {
  inputs = 1
  id = "x"
  output = 2
  triggers_replace {
    a = 1
  }
  nope {}
}
resource "terraform_dat" "b" {}
resource "terraform" "c" {}
data "terraform_data" "d" {}
resource "terraform_remote_state" "e" {}
data "terraform_remote_state" "f" {}
data "terraform_remote_state" "g" {
  backend = 1
  config = "x"
  defaults = []
  workspace = {}
  outputs = {}
}
ephemeral "terraform_data" "h" {}
