variable "a" { 
  type = number 
  default = "x" 
}
variable "b" { 
  type = list(string)
  default = "x" 
}
variable "c" { 
  type = object({a=string})
  default = { b = 1 } 
}
variable "d" { 
  type = bool
  default = var.x
}
variable "e" { 
  default = foo()
}
variable "f" { 
  default = file("x")
}
variable "g" { 
  type = string
  nullable = false
  default = null
}
variable "h" { 
  type = map(number)
  default = { a = "b" }
}
variable "i" { 
  type = tuple([string, number])
  default = ["a"]
}
variable "j" { 
  type = set(string)
  default = [{}]
}
variable "k" {
  default = "${1 + 1}"
}
variable "l" {
  default = "${var.x}"
}
variable "m" {
  type = object({a = object({b = list(number)})})
  default = { a = { b = ["x"] } }
}
