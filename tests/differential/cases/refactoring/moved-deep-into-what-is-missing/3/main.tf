module "one" {
  source = "./m"
}
moved {
  from = module.one.terraform_data.in[0]
  to   = terraform_data.out[5]
}
moved {
  from = module.one.terraform_data.in[7]
  to   = terraform_data.out[0]
}
resource "terraform_data" "a" {}
resource "terraform_data" "out" {
  count = 2
}
