module "keyed" {
  source   = "./m"
  for_each = toset(["a"])
}

module "single" {
  source = "./m"
}
