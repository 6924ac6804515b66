resource "terraform_data" "first" {
}

module "m" {
  source = "./m"
  count  = 2
  value  = terraform_data.first.id
}

resource "terraform_data" "last" {
  count = 2
  input = module.m[count.index].b
}

module "through" {
  source = "./m"
  count  = 2
  value  = terraform_data.last[0].id
}
