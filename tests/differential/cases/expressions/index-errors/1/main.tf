locals {
  object = { alpha = 1, beta = { gamma = 2 } }
  map    = tomap({ alpha = 1 })
  list   = ["a"]
  tuple  = ["a", 1]
  set    = toset(["a"])
  null_o = { a = null }
}
output "object" { value = local.object.alhpa }
output "object_deep" { value = local.object.beta.gama }
output "object_index" { value = local.object["alhpa"] }
output "object_number" { value = local.object[0] }
output "object_list" { value = local.object[[]] }
output "object_bool" { value = local.object[true] }
output "map" { value = local.map.beta }
output "map_index" { value = local.map["beta"] }
output "map_list" { value = local.map[[]] }
output "map_null" { value = local.map[null] }
output "list_attr" { value = local.list.name }
output "list_out" { value = local.list[1] }
output "list_negative" { value = local.list[-1] }
output "list_legacy" { value = local.list.5 }
output "list_text" { value = local.list["x"] }
output "list_bool" { value = local.list[true] }
output "list_fraction" { value = local.list[0.5] }
output "list_huge" { value = local.list[1e30] }
output "tuple_out" { value = local.tuple[2] }
output "tuple_text" { value = local.tuple["1x"] }
output "tuple_attr" { value = local.tuple.name }
output "empty" { value = [][0] }
output "set" { value = local.set[0] }
output "set_attr" { value = local.set.a }
output "set_key" { value = local.set["a"] }
output "number" { value = 5[0] }
output "number_attr" { value = (5).a }
output "text" { value = "abc"[0] }
output "text_attr" { value = "abc".a }
output "bool" { value = true.a }
output "null" { value = null.a }
output "null_index" { value = null[0] }
output "null_in" { value = local.null_o.a.b }
output "null_in_index" { value = local.null_o.a["b"] }
output "splat_attr" { value = local.list[*].a }
output "splat_legacy_attr" { value = local.tuple.*.a }
output "splat_index" { value = local.list[*][0] }
output "set_elements" { value = tolist(local.set).0.a }
output "call" { value = upper("a").b }
output "list_of_objects" { value = [{ a = 1 }].a }
output "list_of_objects_typed" { value = tolist([{ a = 1 }]).a }
output "object_list_suggest" { value = { first_name = 1 }.frist_name }
