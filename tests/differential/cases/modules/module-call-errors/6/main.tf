module "block" {
  source = "./m"
  a      = 1
  b      = ""
  foo {
    x = 1
  }
}
