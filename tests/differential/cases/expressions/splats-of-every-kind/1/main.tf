locals {
  list   = [{ a = { b = [1, 2] }, l = [{ c = 1 }, { c = 2 }] }, { a = { b = [3, 4] }, l = [] }]
  typed  = tolist([{ a = "x" }, { a = "y" }])
  set    = toset([{ a = "x" }, { a = "y" }])
  single = { a = { b = 1 } }
  null   = null
  typed_null = tolist(null)
  nested = [[{ a = 1 }, { a = 2 }], [{ a = 3 }]]
}
output "full" { value = local.list[*].a.b }
output "full_index" { value = local.list[*].a.b[0] }
output "legacy" { value = local.list.*.a.b }
output "legacy_index" { value = local.list.*.a.b[0] }
output "legacy_number" { value = local.list.*.a.b.1 }
output "full_in_full" { value = local.list[*].l[*].c }
output "full_in_legacy" { value = local.list.*.l[*] }
output "legacy_in_full" { value = local.list[*].l.*.c }
output "whole" { value = local.list[*] }
output "whole_legacy" { value = local.typed.* }
output "typed" { value = local.typed[*].a }
output "set" { value = local.set[*].a }
output "object" { value = local.single[*].a.b }
output "object_legacy" { value = local.single.*.a }
output "scalar" { value = ["x"[*], 5[*], true[*]] }
output "null" { value = local.null[*] }
output "null_attr" { value = local.null[*].a.b }
output "null_typed" { value = local.typed_null[*] }
output "nested" { value = local.nested[*][*].a }
output "nested_index" { value = local.nested[*][0].a }
output "nested_legacy_index" { value = local.nested.*[0] }
output "parenthesised" { value = (local.list[*].a).0.b }
output "key_index" { value = local.list[*]["a"]["b"] }
output "legacy_key_index" { value = [for x in local.list : x][*].a }
output "of_literal" { value = [{ x = 1 }, { x = 2 }][*].x }
output "of_call" { value = tolist([{ x = 1 }])[*].x }
output "of_splat" { value = local.list[*].a[*].b }
output "of_map" { value = tomap({ a = "b" })[*] }
output "empty" { value = [][*].a }
output "length" { value = length(local.null[*]) }
output "dynamic_index" { value = [for i in [0, 1] : local.list[i].a.b[i]] }
output "expression_index" { value = local.list[1 - 1].a["b"][length(local.list) - 1] }
output "text_index" { value = local.list["0"].a["${"b"}"] }
output "legacy_dots" { value = local.list.0.a.b.1 }
output "splat_then_call" { value = [for x in local.nested[*][0] : x.a] }
output "space" { value = local . list [ 0 ] . a }
