module "a" {
  source = "./m"
  extra  = 1
}
