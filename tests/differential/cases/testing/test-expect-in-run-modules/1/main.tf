module "m" {
  source = "./m"
  v = 1
}
check "root" {
  assert {
    condition = module.m.v == 2
    error_message = "root check ${module.m.v}"
  }
}
