variable "a" { type = strin }
variable "b" { type = list }
variable "c" { type = map }
variable "d" { type = "string" }
variable "e" { type = "list" }
variable "f" { type = "map" }
variable "g" { type = "any" }
variable "h" { type = list(any) }
variable "i" { type = list(string, number) }
variable "j" { type = list() }
variable "k" { type = object }
variable "l" { type = object(string) }
variable "m" { type = object({ a }) }
variable "n" { type = tuple }
variable "o" { type = tuple(string) }
variable "p" { type = tuple([string, nope]) }
variable "q" { type = set(strng) }
variable "r" { type = optional(string) }
variable "s" { type = object({ a = optional(string, 1) }) }
variable "t" { type = object({ a = optional(number, "x") }) }
variable "u" { type = object({ a = optional() }) }
variable "v" { type = object({ a = optional(string, "a", "b") }) }
variable "w" { type = object({ a = optional(string, var.x) }) }
variable "x" { type = 1 }
variable "y" { type = "${string}" }
variable "z" { type = string() }
