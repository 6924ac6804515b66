resource "terraform_data" "r" {
  input = "x"
}
output "text" { value = "a" }
output "lines" { value = "a\nb\nc\n" }
output "list" { value = ["a", "b", "c"] }
output "object" { value = { name = "n", tags = { a = 1, b = 2 }, other = [true] } }
output "secret" {
  value     = { password = "hunter2" }
  sensitive = true
}
output "becomes_secret" { value = "plain" }
output "becomes_unknown" { value = "known" }
output "id" { value = terraform_data.r.id }
output "gone" { value = { a = 1 } }
output "json" { value = jsonencode({ a = 1, b = [1, 2] }) }
output "with-dash" { value = null }
output "number" { value = 1 }
