resource "terraform_data" "a" {
  lifecycle { replace_triggered_by = [data.terraform_remote_state.b] }
}
data "terraform_remote_state" "b" { backend = "local" }
