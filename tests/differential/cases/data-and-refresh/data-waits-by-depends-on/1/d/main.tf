data "terraform_remote_state" "d" {
  backend = "local"
  config  = { path = "out.tfstate" }
}
