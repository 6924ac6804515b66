variable "e" {
  ephemeral = true
  default   = "e"
}
module "m" {
  source   = "./m"
  replaced = null
  wrapped  = null
  secret   = var.e
  passing  = "not ephemeral"
}
