data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = "newer.tfstate" }
}

output "o" {
  value = data.terraform_remote_state.r.outputs
}
