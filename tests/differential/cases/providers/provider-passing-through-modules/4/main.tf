module "c" {
  source = "./x"
  providers = { terraform = terraform }
}
