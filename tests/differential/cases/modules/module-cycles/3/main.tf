locals {
  x = module.a.out
  y = local.x
}
resource "terraform_data" "r" {
  input = local.y
}
module "a" {
  source = "./m"
  in     = terraform_data.r.output
}
module "b" { 
  source = "./m"
  in = 1
}
