module "missing" {
  source = "./m"
}
