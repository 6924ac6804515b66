import {
  for_each = {a = 1}
  to = terraform_data.b
  id = "x"
}
module "m" { source = "./m" }
import {
  to = module.m.terraform_data.x
  id = "x"
}
