data "terraform_remote_state" "r" {
  backend = "consul"
  config  = {  }
}

output "o" {
  value = data.terraform_remote_state.r.outputs
}
