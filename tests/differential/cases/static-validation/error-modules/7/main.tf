module "not_installed" {
  source = "./m"
  needed = "x"
}
