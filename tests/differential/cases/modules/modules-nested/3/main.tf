module "outer" {
  source = "./outer"
  prefix = "q"
}

output "deep" {
  value = module.outer.deep
}
