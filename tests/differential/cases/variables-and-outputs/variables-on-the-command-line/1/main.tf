variable "s" { type = string }
variable "n" { type = number }
variable "b" {
  type    = bool
  default = "false"
}
variable "l" { type = list(string) }
variable "st" {
  type    = set(string)
  default = []
}
variable "m" { type = map(string) }
variable "a" {}
variable "t" {
  type    = tuple([string, number])
  default = ["d", 1]
}
variable "o" {
  type    = object({ a = number, b = optional(any) })
  default = { a = 0 }
}
output "all" { value = [var.s, var.n, var.b, var.l, var.st, var.m, var.a, var.t, var.o] }
