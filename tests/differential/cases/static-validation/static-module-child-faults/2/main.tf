module "c" {
  source = "./x"
  a = 1
}
