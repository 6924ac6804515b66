locals {
  list   = ["a"]
  map    = { a = 1 }
  typed  = tomap({ a = 1 })
  object = { a = { b = 1 } }
  null   = null
  text   = "text"
  index  = 3
}
output "plus" { value = "a" + 1 }
output "plus_list" { value = [] + 1 }
output "divide" { value = 1 / 0 }
output "modulo" { value = 5 % 0 }
output "compare" { value = "a" < "b" }
output "not" { value = !"maybe" }
output "negate" { value = -"a" }
output "and" { value = true && "x" }
output "condition" { value = "x" ? 1 : 2 }
output "condition_null" { value = null ? 1 : 2 }
output "condition_types" { value = true ? [1] : { a = 1 } }
output "index" { value = local.list[local.index] }
output "negative_index" { value = local.list[-1] }
output "fraction_index" { value = local.list[0.5] }
output "text_index" { value = local.list["a"] }
output "map_index" { value = local.typed["z"] }
output "object_index" { value = local.map["z"] }
output "null_index" { value = local.list[null] }
output "of_null" { value = local.null.a }
output "of_null_index" { value = local.null[0] }
output "of_text" { value = local.text.a }
output "of_text_index" { value = local.text[0] }
output "deep" { value = local.object.a.c }
output "template_list" { value = "x ${local.list}" }
output "template_object" { value = "x ${local.map}" }
output "template_null" { value = "x ${null}" }
output "template_if" { value = "%{if "x"}a%{endif}" }
output "template_for" { value = "%{for x in 5}a%{endfor}" }
output "for_number" { value = [for x in 5 : x] }
output "for_null" { value = [for x in local.null : x] }
output "for_duplicate" { value = { for x in ["a", "a"] : x => 1 } }
output "for_key" { value = { for x in [[]] : x => 1 } }
output "for_null_key" { value = { for x in [null] : x => 1 } }
output "for_condition" { value = [for x in [1] : x if "maybe"] }
output "object_key" { value = { (local.list) = 1 } }
output "object_null_key" { value = { (local.null) = 1 } }
output "splat_map" { value = local.typed[*].a }
output "set_index" { value = toset(["a"])[0] }
output "call_null" { value = upper(null) }
output "wrong_argument" { value = upper(["a"]) }
output "list_argument" { value = join(",", "a") }
