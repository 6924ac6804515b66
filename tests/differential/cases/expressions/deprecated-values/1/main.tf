variable "old" {
  default    = "x"
  deprecated = "do not set old"
}
variable "unset" {
  default    = "x"
  deprecated = "do not set unset"
}
module "m" {
  source = "./m"
  in     = "set"
}
module "many" {
  source = "./m"
  count  = 2
}
locals {
  a     = module.m.old
  whole = module.m
  again = local.a
}
resource "terraform_data" "r" {
  count = module.m.n
  input = module.m.old
}
resource "terraform_data" "r2" {
  input = module.many[1].old == "old"
  lifecycle {
    precondition {
      condition     = module.m.old == "old"
      error_message = "not old"
    }
  }
}
output "root" {
  value = { a = 1, b = module.m.old }
}
output "local" {
  value = local.again
}
output "conditional" {
  value = false ? module.m.old : module.m.fine
}
