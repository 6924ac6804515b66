data "terraform_remote_state" "r" {
  backend = "s3"
  config  = { bucket = "b", region = "eu-central-1" }
}

output "o" {
  value = data.terraform_remote_state.r.outputs
}
