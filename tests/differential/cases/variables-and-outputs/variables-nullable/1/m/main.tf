variable "a" { default = "a" }
variable "b" {
  default  = "b"
  nullable = false
}
variable "c" {
  type     = object({ x = optional(number, 1) })
  default  = {}
  nullable = false
}
output "all" { value = { a = var.a, b = var.b, c = var.c } }
