module "block" {
  source = "./m"
  needed = "n"
  settings {
    a = 1
  }
}
