variable "string" { type = string }
variable "list" { type = list(string) }
variable "any" { type = any }
variable "untyped" {}
variable "number" { type = number }
variable "bool" { type = bool }
variable "tuple" { type = tuple([number, string, list(string)]) }
variable "equals" {}
variable "expression" {}
variable "nullable" {
  type    = list(string)
  default = ["default"]
}
variable "function" {
  type    = list(string)
  default = []
}
variable "env_list" { type = list(number) }
variable "env_any" { type = any }
variable "env_string" { type = string }
variable "env_object" { type = object({ a = string, b = list(bool), c = optional(number, 3) }) }
variable "env_empty" {}
variable "env_map" { type = map(string) }

output "all" {
  value = {
    string = var.string, list = var.list, any = var.any, untyped = var.untyped, number = var.number, bool = var.bool, tuple = var.tuple
    equals = var.equals, expression = var.expression, nullable = var.nullable, function = var.function
    env = [var.env_list, var.env_any, var.env_string, var.env_object, var.env_empty, var.env_map]
  }
}
