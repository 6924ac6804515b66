import {
  to = module.missing.terraform_data.a
  id = "1"
}
