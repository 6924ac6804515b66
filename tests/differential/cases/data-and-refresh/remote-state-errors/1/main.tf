data "terraform_remote_state" "absent" {
  backend = "local"
  config = {
    path = "no-such-file.tfstate"
  }
}

output "x" {
  value = data.terraform_remote_state.absent.outputs
}
