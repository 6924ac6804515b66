output "string" { value = "a" }
output "number" { value = 1.5 }
output "bool" { value = true }
output "null" { value = null }
output "null_string" { value = tostring(null) }
output "null_list" { value = tolist(null) }
output "tuple" { value = [1, "a", null, [true]] }
output "list" { value = tolist(["a", "b"]) }
output "set" { value = toset(["b", "a"]) }
output "map" { value = tomap({ a = 1 }) }
output "object" { value = { a = null, b = { c = [] } } }
output "empty" { value = [[], {}, tolist([]), tomap({}), toset([]), ""] }
output "set_objects" { value = toset([{ b = 1 }, { b = 0 }]) }
output "map_list" { value = { for k in ["x"] : k => tolist([k]) } }
output "secret" {
  value     = { a = "s", n = 1 }
  sensitive = true
}
output "gone" { value = "gone" }
output "becomes_sensitive" { value = "x" }
output "no_longer_sensitive" {
  value     = "x"
  sensitive = true
}
output "type_changes" { value = ["a"] }
output "to_null" { value = 1 }
