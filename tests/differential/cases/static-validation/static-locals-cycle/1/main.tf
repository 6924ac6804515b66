locals {
  a = local.a
  b = local.c
  c = local.b
  d = local.nope
  e = local.aa
  f = var.nope
  g = local
  h = local["a"]
}
