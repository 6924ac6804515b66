variable "count_of" {
  type = number
}

data "terraform_remote_state" "counted" {
  count   = var.count_of
  backend = "local"
  config  = { path = "${path.root}/other.tfstate" }
}

data "terraform_remote_state" "keyed" {
  for_each = { one = "a", two = "b" }
  backend  = "local"
  config   = { path = "${path.root}/other.tfstate" }
  defaults = { b = each.value }
}

output "all" {
  value = [data.terraform_remote_state.counted[*].outputs.a, { for k, d in data.terraform_remote_state.keyed : k => d.outputs }]
}
