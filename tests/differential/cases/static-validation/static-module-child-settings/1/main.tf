module "c" {
  source = "./x"
}
