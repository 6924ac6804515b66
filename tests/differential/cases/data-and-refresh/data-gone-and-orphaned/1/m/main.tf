data "terraform_remote_state" "in" {
  backend = "local"
  config  = { path = "out.tfstate" }
}
