data "terraform_remote_state" "r" {
  backend = "remote"
  config  = { workspaces = { name = "w" } }
}

output "o" {
  value = data.terraform_remote_state.r.outputs
}
