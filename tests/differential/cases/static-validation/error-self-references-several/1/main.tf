resource "terraform_data" "a" {
  input            = terraform_data.a.id
  triggers_replace = terraform_data.a.output
}

resource "terraform_data" "b" {
  input = [terraform_data.b.id, terraform_data.b.output]
}

resource "terraform_data" "c" {
  for_each = { for key, value in terraform_data.c : key => terraform_data.c }
}

resource "terraform_data" "d" {
  count = length(terraform_data.d)
  input = terraform_data.d
}

data "terraform_remote_state" "e" {
  backend = data.terraform_remote_state.e.backend
  config  = { path = data.terraform_remote_state.e.workspace }
}
