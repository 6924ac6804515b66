module "first" {
  source = "./first"
}

module "second" {
  source     = "./second"
  depends_on = [module.first]
}

output "read" {
  value = module.second.read
}
