resource "terraform_data" "r" {
  input = { a = 1 }
}

module "m" {
  source = "./m"
  id     = terraform_data.r.id
  list   = [terraform_data.r.id, "known"]
  object = { name = "n", id = terraform_data.r.id }
  any    = terraform_data.r.output
}

output "known_part" {
  value = module.m.name
}

output "count" {
  value = module.m.count
}

output "id" {
  value = module.m.id
}

output "whole" {
  value = module.m
}
