variable "text" { type = string }
variable "list" { type = list(string) }
variable "set" { type = set(string) }
variable "map" { type = map(string) }
variable "object" { type = object({ input = object({ i = string }), extra = optional(string, "none") }) }
variable "cond" { type = map(string) }
variable "any" { type = list(any) }
variable "tuple" { type = tuple([string, number]) }
output "all" { value = [var.text, var.list, var.set, var.map, var.object, var.cond, var.tuple, length(var.any)] }
