variable "number" { type = number }
variable "flag" {
  type    = bool
  default = true
}
variable "list" {
  type    = list(string)
  default = []
}
variable "object" {
  type    = object({ name = string, size = optional(number) })
  default = { name = "n" }
}
variable "from_env" {
  type    = list(number)
  default = []
}
output "o" {
  value = var.number
}
