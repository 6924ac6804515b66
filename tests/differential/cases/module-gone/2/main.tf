module "stays" {
  source = "./m"
}
