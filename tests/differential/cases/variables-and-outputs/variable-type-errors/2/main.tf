variable "a" { 
  type = number
  default = "x" 
}
variable "b" { 
  type = list(number)
  default = [1, "x"] 
}
variable "c" { 
  type = map(string)
  default = { a = [] } 
}
variable "d" { 
  type = object({ a = string, b = number })
  default = { a = "x" } 
}
variable "e" { 
  type = object({ a = object({ b = bool }) })
  default = { a = { b = "maybe" } } 
}
variable "f" { 
  type = tuple([string, number])
  default = ["a"] 
}
variable "g" { 
  type = tuple([string, number])
  default = ["a", "b"] 
}
variable "h" { 
  type = set(string)
  default = "a" 
}
variable "i" { 
  type = list(object({ a = string }))
  default = [{ b = 1 }] 
}
variable "j" { 
  type = bool
  default = 1 
}
variable "k" { 
  type = string
  default = [] 
}
variable "l" { 
  nullable = false
  default = null 
}
variable "m" { 
  default = var.a
}
variable "n" { 
  default = upper("a")
}
variable "o" { 
  default = "a${path.module}"
}
variable "p" {
  type = list(any)
  default = ["a", []]
}
variable "q" {
  type = map(any)
  default = { a = 1, b = {} }
}
variable "r" {
  type = string
  type = number
  sensitive = "maybe"
  nullable = 5
  description = 5
  foo = 1
}
variable "s" {
  description = "a${1}"
  sensitive = null
  ephemeral = true
  default = 1
}
