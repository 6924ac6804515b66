resource "terraform_data" "in" {
  count = 2
}
data "terraform_remote_state" "d" {
  backend = "local"
  config  = { path = "out.tfstate" }
}
