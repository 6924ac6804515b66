data "terraform_remote_state" "other" {
  backend = "local"
  config  = { path = "other.tfstate" }
}

output "x" {
  value = data.terraform_remote_state.other.outputs.absent
}
