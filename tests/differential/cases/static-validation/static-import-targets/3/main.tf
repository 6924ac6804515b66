module "m" { source = "./m" }
import {
  to = module.m.terraform_data.x
  id = "x"
}
