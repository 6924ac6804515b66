locals {
  list    = [{ a = 1, b = [{ c = "x" }, { c = "y" }] }, { a = 2, b = [{ c = "z" }] }]
  single  = { a = "one" }
  nothing = null
  object  = { "odd key" = 1, plain = 2, "3" = 3 }
}

output "full" { value = local.list[*].a }
output "full_nested" { value = local.list[*].b[*].c }
output "full_index" { value = local.list[*].b[0].c }
output "legacy" { value = local.list.*.a }
output "legacy_index" { value = local.list.*.b[0] }
output "of_single" { value = local.single[*].a }
output "of_null" { value = local.nothing[*] }
output "of_set" { value = toset(["q", "p"])[*] }
output "of_list_itself" { value = [1, 2][*] }
output "index" { value = local.list[1].b[0].c }
output "legacy_dot" { value = local.list.0.b.1.c }
output "string_index" { value = [local.object["odd key"], local.object.plain, local.object["3"]] }
output "converted_index" { value = [["a", "b"]["1"], { "1" = "one" }[1]] }
output "computed_index" { value = local.list[length(local.list) - 1].a }
output "of_strings" { value = "abc"[*] }
