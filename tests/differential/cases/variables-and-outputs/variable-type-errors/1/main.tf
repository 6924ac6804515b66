variable "a" { type = strng }
variable "b" { type = list(string, number) }
variable "c" { type = list() }
variable "d" { type = object }
variable "e" { type = object({ a }) }
variable "f" { type = tuple }
variable "g" { type = tuple(string) }
variable "h" { type = string() }
variable "i" { type = map("string") }
variable "j" { type = optional(string) }
variable "k" { type = list(optional(string)) }
variable "l" { type = object({ a = optional() }) }
variable "m" { type = object({ a = optional(string, "a", "b") }) }
variable "n" { type = object({ a = optional(number, "x") }) }
variable "o" { type = object({ a = optional(string, var.x) }) }
variable "p" { type = object({ a = string, a = number }) }
variable "q" { type = [string] }
variable "r" { type = { a = string } }
variable "s" { type = "string(" }
variable "t" { type = "number" }
variable "u" { type = "any" }
variable "v" { type = null }
variable "w" { type = 5 }
variable "x" { type = list(string }
