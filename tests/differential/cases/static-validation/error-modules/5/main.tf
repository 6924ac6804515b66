module "wrong_type" {
  source = "./m"
  needed = ["list"]
  number = "x"
}
