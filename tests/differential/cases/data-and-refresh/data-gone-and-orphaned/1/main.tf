module "m" {
  source = "./m"
}
data "terraform_remote_state" "gone" {
  backend = "local"
  config  = { path = "out.tfstate" }
}
data "terraform_remote_state" "counted" {
  count   = 2
  backend = "local"
  config  = { path = "out.tfstate" }
}
data "terraform_remote_state" "same" {
  backend = "local"
  config  = { path = "out.tfstate" }
}
