variable "c" {
  default = true
}
output "list_object" { value = var.c ? [1] : { a = 1 } }
output "text_list" { value = var.c ? "a" : ["a"] }
output "object_text" { value = var.c ? { a = 1 } : "x" }
output "set_map" { value = var.c ? toset(["a"]) : tomap({ a = 1 }) }
output "object_attr" { value = var.c ? { a = 1, b = [1] } : { a = 1, b = "x" } }
output "object_missing" { value = var.c ? { a = 1, b = [1] } : { a = 1 } }
output "object_extra" { value = var.c ? { a = [1] } : { a = [1], b = 1, c = 2 } }
output "tuple_element" { value = var.c ? [1, []] : [1, "a"] }
output "tuple_length" { value = var.c ? [1, []] : [1] }
output "nested_objects" { value = var.c ? { a = { b = 1 } } : { a = { b = [] } } }
output "lists" { value = var.c ? tolist([["a"]]) : tolist(["a"]) }
output "list_elements" { value = var.c ? tolist([{ a = 1 }]) : tolist(["a"]) }
output "maps" { value = var.c ? tomap({ a = {} }) : tomap({ a = "x" }) }
output "sets" { value = var.c ? toset([["a"]]) : toset(["a"]) }
output "number_condition" { value = 1 ? 1 : 2 }
output "list_condition" { value = [] ? 1 : 2 }
output "text_condition" { value = "yes" ? 1 : 2 }
output "null_condition" { value = tobool(null) ? 1 : 2 }
output "error_in_branch" { value = var.c ? [][0] : 1 }
output "error_in_other_branch" { value = var.c ? 1 : [][0] }
output "error_in_both" { value = var.c ? {}.a : [][0] }
output "map_of_tuples" { value = var.c ? { a = [1] } : { b = ["x", 2] } }
output "bool_number" { value = var.c ? true : 1 }
output "deep_list" { value = var.c ? [[1]] : [["a"], "x"] }
