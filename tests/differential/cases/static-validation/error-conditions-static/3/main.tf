check "c" {
  data "terraform_remote_state" "scoped" {
    backend = "local"
  }
  assert {
    condition     = data.terraform_remote_state.scoped.outputs == null
    error_message = local.nothing
  }
}
check "d" {
  assert {
    condition     = data.terraform_remote_state.scoped.outputs == null
    error_message = "e"
  }
}
output "x" {
  value = data.terraform_remote_state.scoped
}
