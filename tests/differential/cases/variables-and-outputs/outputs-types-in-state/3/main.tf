output "string" { value = "b" }
output "number" { value = "1.5" }
output "null" { value = "now" }
output "tuple" { value = [1, "a", null, [false]] }
output "set" { value = toset(["b", "c"]) }
output "map" { value = tomap({ a = 1, b = null }) }
output "object" { value = { a = 1, b = { c = [1] } } }
output "secret" {
  value     = { a = "t", n = 1 }
  sensitive = true
}
output "becomes_sensitive" {
  value     = "x"
  sensitive = true
}
output "no_longer_sensitive" {
  value     = "x"
}
output "type_changes" { value = tolist(["a"]) }
output "to_null" { value = null }
