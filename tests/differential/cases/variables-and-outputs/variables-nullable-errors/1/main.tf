module "m" {
  source = "./m"
  a      = null
  b      = tostring(null)
}
