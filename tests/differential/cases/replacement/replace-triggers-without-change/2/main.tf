module "m" {
  source = "./m"
  for_each = { k = 1 }
}
