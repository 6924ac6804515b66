module "c" {
  source = "./x"
}
module "d" {
  source = "./y"
}
