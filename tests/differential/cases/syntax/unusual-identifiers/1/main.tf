variable "a-b" { default = 1 }
variable "_x" { default = 2 }
variable "größe" { default = 3 }
variable "日本" { default = 4 }
variable "a1-2" { default = 5 }
locals {
  minus-1   = var.a-b - 1
  minus_2   = var.a-b -1
  sum       = var.größe + var.日本
  _         = "underscore"
  __        = "two"
  x-        = "trailing"
  null_     = 1
  for       = "for"
  if        = "if"
  in        = "in"
  true-ish  = "t"
  e1        = 5
}
resource "terraform_data" "größe-1" { input = local._ }
resource "terraform_data" "_" { input = local.__ }
output "größe" { value = terraform_data.größe-1.output }
output "underscore" { value = terraform_data._.output }
output "locals" { value = [local.minus-1, local.minus_2, local.sum, local._, local.x-, local.null_, local.for, local.if, local.in, local.true-ish, local.e1] }
output "a1-2" { value = var.a1-2 }
output "attr" { value = { größe = 1, a-b = 2, if = 3 } }
output "attr_access" { value = [{ größe = 1 }.größe, { a-b = 2 }.a-b, { true = 6 }.true, { _for = 3 }._for, { null = 4 }.null, { true = 5 }.true] }
