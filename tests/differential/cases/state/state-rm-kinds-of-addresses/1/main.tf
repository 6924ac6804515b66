resource "terraform_data" "a" {
  input = 1
}

resource "terraform_data" "many" {
  count = 2
}

resource "terraform_data" "each" {
  for_each = toset(["x", "y"])
}

data "terraform_remote_state" "d" {
  backend = "local"
  config  = { path = "other.tfstate" }
}

module "m" {
  source = "./m"
  count  = 2
}
