locals {
  nulls = null
  typed = tostring(null)
  obj   = { a = 1 }
}
output "number_text" { value = 1 == "1" }
output "bool_text" { value = true == "true" }
output "list_tuple" { value = tolist([1]) == [1] }
output "tuple_tuple" { value = [1, "a"] == [1, "a"] }
output "tuple_longer" { value = [1] == [1, 2] }
output "object_order" { value = { a = 1, b = 2 } == { b = 2, a = 1 } }
output "object_map" { value = { a = 1 } == tomap({ a = 1 }) }
output "object_other" { value = { a = 1 } == { b = 1 } }
output "object_types" { value = { a = 1 } == { a = "1" } }
output "set_set" { value = toset(["a", "b"]) == toset(["b", "a"]) }
output "set_list" { value = toset(["a"]) == tolist(["a"]) }
output "set_types" { value = toset([1]) == toset(["1"]) }
output "null_null" { value = null == null }
output "null_typed" { value = local.nulls == local.typed }
output "typed_number" { value = local.typed == tonumber(null) }
output "null_list" { value = null == [] }
output "null_object" { value = null != {} }
output "null_in_list" { value = [null] == [null] }
output "null_in_list_typed" { value = [null] == [tostring(null)] }
output "empty_tuple_list" { value = [] == tolist([]) }
output "empty_object_map" { value = {} == tomap({}) }
output "empties" { value = [tolist([]) == tolist([]), tomap({}) == tomap({}), toset([]) == toset([])] }
output "deep" { value = [{ a = [1, { b = null }] }] == [{ a = [1, { b = null }] }] }
output "deep_not" { value = [{ a = [1, { b = null }] }] != [{ a = [1, { b = 1 }] }] }
output "numbers" { value = [1 == 1.0, 1e2 == 100, 0.1 == 1 / 10, -0 == 0] }
output "texts" { value = ["é" == "e\u0301", "a" == "A", "" == "\u0000"] }
output "chain" { value = 1 == 1 == true }
output "chain_not" { value = 1 != 2 != false }
output "precedence" { value = 1 + 1 == 2 && 2 > 1 || false }
output "comparison_of_equality" { value = 1 < 2 == 3 > 2 }
output "not_precedence" { value = !true == false }
output "minus" { value = [1 - -1, 1 - 1 - 1, 8 / 4 / 2, 2 * 3 % 4, -2 * -3, 10 - 2 * 3] }
output "and_or" { value = [true || false && false, (true || false) && false, false && true || true] }
output "conditional_nested" { value = true ? false ? 1 : 2 : 3 }
output "conditional_right" { value = false ? 1 : true ? 2 : 3 }
output "conditional_operators" { value = 1 + 1 == 2 ? 1 + 1 : 2 * 2 }
output "text_operators" { value = "2" * "3" + "1" }
output "text_comparison" { value = "10" > "9" }
output "bool_operators" { value = "true" && "false" || "1" }
