resource "terraform_data" "two" {
  input = "two"
}

data "terraform_remote_state" "other" {
  backend = "local"
  config = {
    path = "${path.module}/other.tfstate"
  }
}

output "read" {
  value = data.terraform_remote_state.other.outputs
}
