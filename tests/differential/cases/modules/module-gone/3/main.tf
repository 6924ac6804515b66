module "stays" {
  source = "./m"
  count  = 1
}
