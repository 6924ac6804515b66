module "m" { source = "./m" }
import {
  to = module.m.terraform_data.a
  id = "x"
  provider = null.foo
}
