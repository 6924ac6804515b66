module "c" {
  source = "./x"
}
module "d" {
  source = "./y"
  providers = { null = random }
}
module "e" {
  source = "./y"
  providers = { nul = null }
}
