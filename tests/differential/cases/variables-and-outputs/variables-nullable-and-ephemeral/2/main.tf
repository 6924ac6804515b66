variable "e" {
  ephemeral = true
  default   = "e"
}
module "m" {
  source   = "./m"
  kept     = null
  replaced = null
  wrapped  = { a = null }
  secret   = "s"
  passing  = var.e
}
output "kept" {
  value = [module.m.kept, module.m.replaced, module.m.wrapped]
}
