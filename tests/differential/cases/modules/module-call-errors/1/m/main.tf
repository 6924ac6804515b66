variable "a" { type = number }
variable "b" { type = string }
variable "c" {
  type    = object({ x = list(number) })
  default = { x = [] }
}
output "o" { value = 1 }
