module "unknown" {
  source = "./m"
  needed = "n"
  other  = 1
  numbr  = 2
}
