variable "secret" {
  type      = string
  ephemeral = true
}
module "child" {
  source = "./child"
  plain  = var.secret
  nested = { a = { b = var.secret } }
  typed  = [var.secret]
  ok     = var.secret
}
