variable "yes" {
  type    = bool
  default = true
}
output "number_text" { value = var.yes ? 1 : "a" }
output "number_bool_text" { value = [for c in [true, false] : c ? true : "x"] }
output "null_first" { value = var.yes ? null : "a" }
output "null_second" { value = var.yes ? 1 : null }
output "null_both" { value = var.yes ? null : null }
output "null_object" { value = var.yes ? null : { a = 1 } }
output "null_tuple" { value = var.yes ? [1, "a"] : null }
output "same_objects" { value = var.yes ? { a = 1 } : { a = 2 } }
output "objects_converting" { value = var.yes ? { a = 1, b = true } : { a = "x", b = "y" } }
output "objects_null_attr" { value = var.yes ? { a = null, b = 1 } : { a = "x", b = null } }
output "other_attributes" { value = var.yes ? { a = 1 } : { b = 2 } }
output "empty_object" { value = var.yes ? {} : { a = 1 } }
output "empty_object_second" { value = var.yes ? { a = 1 } : {} }
output "nested_empty" { value = var.yes ? { a = { b = 1 } } : { a = {} } }
output "tuples" { value = var.yes ? [1, 2] : ["a", "b"] }
output "tuple_lengths" { value = var.yes ? [1] : ["a", true] }
output "empty_tuple" { value = var.yes ? [] : [1] }
output "empty_tuple_second" { value = var.yes ? ["a", 1] : [] }
output "tuple_null" { value = var.yes ? [null, 1] : ["a", null] }
output "list_tuple" { value = var.yes ? tolist(["a"]) : [1] }
output "list_empty" { value = var.yes ? tolist(["a"]) : [] }
output "set_tuple" { value = var.yes ? toset(["a"]) : ["b", "c"] }
output "set_list" { value = var.yes ? toset(["a"]) : tolist([1]) }
output "map_object" { value = var.yes ? tomap({ a = "x" }) : { b = 1 } }
output "map_empty" { value = var.yes ? {} : tomap({ b = 1 }) }
output "maps" { value = var.yes ? tomap({ a = 1 }) : tomap({ a = "x" }) }
output "lists_of_objects" { value = var.yes ? [{ a = 1 }] : [{ a = "1" }, { a = 2 }] }
output "objects_of_lists" { value = var.yes ? { a = [1] } : { a = [] } }
output "text_and_null_in_list" { value = [for x in [null, "a"] : x == null ? "none" : x] }
output "deep_unify" { value = var.yes ? { l = [{ a = 1 }, { a = 2 }] } : { l = [] } }
output "types" {
  value = [
    jsonencode(var.yes ? { a = 1 } : { a = "b" }),
    jsonencode(var.yes ? [1, true] : ["x"]),
    jsonencode(var.yes ? { a = 1 } : { b = true }),
  ]
}
