resource "terraform_data" "counted" {
  count = length(data.terraform_remote_state.d.outputs)
}
