data "terraform_remote_state" "unknown_backend" {
  backend = "nowhere"
  config  = {}
}

data "terraform_remote_state" "bad_config" {
  backend = "local"
  config = {
    pth = "x"
  }
}
