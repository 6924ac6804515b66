module "extra" {
  source = "./m"
  a      = 1
  b      = "x"
  nope   = 1
}
