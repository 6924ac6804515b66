resource "terraform_data" "single" {
  input = 1
}

resource "terraform_data" "counted" {
  count = 2
  input = count.index
}

resource "terraform_data" "none" {
  count = 0
}

resource "terraform_data" "keyed" {
  for_each = toset(["a"])
}

locals {
  ids = terraform_data.counted[*].id
}

module "m" {
  source = "./m"
  count  = 1
}
