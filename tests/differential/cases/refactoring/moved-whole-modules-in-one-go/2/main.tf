module "wrap" {
  source = "./wrap"
}
module "keys" {
  source   = "./b"
  for_each = toset(["first", "second"])
}
moved {
  from = module.one
  to   = module.wrap.module.inner
}
moved {
  from = module.many[0]
  to   = module.keys["first"]
}
moved {
  from = module.many[1]
  to   = module.keys["second"]
}
