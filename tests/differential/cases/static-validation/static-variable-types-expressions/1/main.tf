variable "a" { type = [string] }
variable "b" { type = {a = string} }
variable "c" { type = list(string)[0] }
variable "d" { type = string.foo }
variable "e" { type = list(string.foo) }
variable "f" { type = object({ "a" = string, (b) = number, 1 = bool }) }
variable "g" { type = object({ a = string, a = number }) }
variable "h" { type = list(optional(string)) }
variable "i" { type = null }
variable "j" { type = number }
variable "k" { type = foo(string) }
variable "l" { type = map(string) == 1 }
variable "m" { type = any() }
variable "n" { type = list([string]) }
variable "o" { type = tuple([]) }
variable "p" { type = object({}) }
variable "q" { type = object({ "a b" = string }) }
variable "r" { type = object({ a = optional(list(string), ["x", 1]) }) }
variable "s" { type = object({ a = optional(object({b = optional(string,"q")}), {b = 1, c = 2}) }) }
variable "t" { type = object({ a = optional(list(string), "x") }) }
variable "u" { type = set(any)  
 default = [1,"a"] }
variable "v" { type = map(any)  
 default = {a = 1, b = "a", c = []} }
