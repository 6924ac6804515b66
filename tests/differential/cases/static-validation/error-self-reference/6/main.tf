data "terraform_remote_state" "d" {
  backend = "local"
  config  = { path = data.terraform_remote_state.d.workspace }
}
