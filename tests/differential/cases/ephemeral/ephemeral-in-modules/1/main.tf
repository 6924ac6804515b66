
terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

module "source" {
  source   = "./source"
  for_each = { short = 4, long = 9 }
  length   = each.value
}
module "user" {
  source = "./user"
  count  = 2
  secret = module.source["long"].secret
  all    = [for name, m in module.source : m.secret]
}
output "lengths" {
  value = module.user[*].plain
}
