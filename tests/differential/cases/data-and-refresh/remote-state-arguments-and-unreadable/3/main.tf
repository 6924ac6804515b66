data "terraform_remote_state" "r" {
  backend = "gcs"
  config  = { prefix = "p" }
}

output "o" {
  value = data.terraform_remote_state.r.outputs
}
