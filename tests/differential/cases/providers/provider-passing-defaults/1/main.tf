module "c" {
  source = "./x"
  providers = { null = null }
}
