variable "n" {
  type    = number
  default = 1
}
variable "l" {
  type    = list(string)
  default = []
}
variable "o" {
  type    = object({ a = string, b = optional(number) })
  default = { a = "a" }
}
