import {
  to = module.child.terraform_data.missing
  id = "1"
}

module "child" {
  source = "./child"
}
