variable "a" {
  type    = number
  default = 1
}
variable "b" {
  type     = number
  default  = 2
  nullable = false
}
variable "c" {
  nullable = false
  default  = "c"
}
variable "d" {
  type     = list(string)
  nullable = false
  default  = []
}
module "m" {
  source = "./m"
  a      = null
  b      = null
  c      = null
}
output "all" { value = [var.a, var.b, var.c, var.d, module.m.all] }
