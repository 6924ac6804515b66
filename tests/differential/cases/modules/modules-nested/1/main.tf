module "outer" {
  source = "./outer"
  prefix = "p"
}

output "deep" {
  value = module.outer.deep
}

output "whole_module" {
  value = module.outer
}
