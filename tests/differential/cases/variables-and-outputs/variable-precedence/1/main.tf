variable "default" {
  default = "default"
}
variable "a" { default = "default" }
variable "b" { default = "default" }
variable "c" { default = "default" }
variable "d" { default = "default" }
variable "e" { default = "default" }
variable "f" { default = "default" }
variable "list" { type = list(string) }
variable "number" { type = number }
variable "any" {
  type    = string
  default = ""
}

output "all" {
  value = [var.default, var.a, var.b, var.c, var.d, var.e, var.f]
}

output "typed" {
  value = { list = var.list, number = var.number, any = var.any }
}
