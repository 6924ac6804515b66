module "c" {
  source = "./x"
  source = "./y"
}
