resource "terraform_data" "a" {}
module "m" { source = "./m" }
removed {
  from = terraform_data.a
  lifecycle { destroy = false }
}
removed {
  from = module.m
  lifecycle { destroy = false }
}
removed {
  from = module.m.terraform_data.x
  lifecycle { destroy = false }
}
