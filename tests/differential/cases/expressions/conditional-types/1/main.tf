variable "yes" {
  default = true
}

output "number_or_string" { value = var.yes ? 1 : "two" }
output "bool_or_string" { value = var.yes ? true : "no" }
output "object_or_empty" { value = var.yes ? { a = 1 } : {} }
output "objects" { value = var.yes ? { a = 1, b = "x" } : { a = "2", b = "y" } }
output "different_objects" { value = var.yes ? { a = "1" } : { b = "2" } }
output "tuple_or_empty" { value = var.yes ? ["a"] : [] }
output "tuples" { value = var.yes ? [1, "a"] : [2, "b"] }
output "null_or_string" { value = var.yes ? null : "x" }
output "null_or_list" { value = var.yes ? null : ["x"] }
output "list_or_tuple" { value = var.yes ? tolist([1]) : ["a", "b"] }
output "set_or_tuple" { value = var.yes ? toset(["a"]) : ["b"] }
output "map_or_object" { value = var.yes ? tomap({ a = 1 }) : { b = "2" } }
output "nested" { value = var.yes ? [{ a = 1 }] : [{ a = "b" }] }
variable "fail" {
  default = false
}
output "taken_fails" { value = var.fail ? tonumber("x") : 5 }
