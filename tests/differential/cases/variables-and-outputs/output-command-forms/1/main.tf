output "s" { value = "text with \"quotes\"" }
output "n" { value = 1.50 }
output "b" { value = false }
output "l" { value = [1, "a"] }
output "o" { value = { a = null, b = { c = toset(["x"]) }, "d e" = "<&>" } }
output "null" { value = null }
output "secret" {
  value     = "s3cret"
  sensitive = true
}
output "html" { value = "<b>&amp;</b>\u2028" }
output "set" { value = toset(["b", "a"]) }
output "multi" { value = "line\nline2\n" }
output "big" { value = 123456789012345678901234567890.125 }
output "empty" { value = "" }
