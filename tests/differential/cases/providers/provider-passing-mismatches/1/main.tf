module "c" {
  source = "./x"
  providers = { 
    null.a = null.b 
    random = random
    foo = null
  }
}
