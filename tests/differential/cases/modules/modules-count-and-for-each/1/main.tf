variable "n" {
  default = 2
}

variable "keys" {
  type    = set(string)
  default = ["a", "b"]
}

module "counted" {
  source = "./m"
  count  = var.n
  name   = "n${count.index}"
}

module "keyed" {
  source   = "./m"
  for_each = var.keys
  name     = each.value
}

output "counted" {
  value = module.counted[*].name
}

output "keyed" {
  value = { for key, m in module.keyed : key => m.name }
}

output "first" {
  value = module.counted[0].name
}

output "whole" {
  value = module.keyed
}
