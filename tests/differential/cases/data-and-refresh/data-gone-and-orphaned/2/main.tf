data "terraform_remote_state" "counted" {
  for_each = toset(["0"])
  backend  = "local"
  config   = { path = "out.tfstate" }
}
data "terraform_remote_state" "same" {
  backend = "local"
  config  = { path = "out.tfstate" }
}
