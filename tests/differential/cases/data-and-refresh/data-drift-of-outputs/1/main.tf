data "terraform_remote_state" "other" {
  backend = "local"
  config  = { path = "other.tfstate" }
}

resource "terraform_data" "r" {
  input = data.terraform_remote_state.other.outputs.a
}

output "a" {
  value = data.terraform_remote_state.other.outputs.a
}
