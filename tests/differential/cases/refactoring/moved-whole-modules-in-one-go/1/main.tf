module "one" {
  source = "./a"
}
module "many" {
  source = "./a"
  count  = 2
}
