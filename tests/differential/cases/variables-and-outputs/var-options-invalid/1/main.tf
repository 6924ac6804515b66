variable "a" { type = number }
variable "b" { type = list(number) }
variable "c" { type = object({a=string}) }
variable "d" {}
variable "e" { type = number }
