resource "terraform_data" "r" {
  input            = "x"
  triggers_replace = 1
}
output "text" { value = "b" }
output "lines" { value = "a\nB\nc\nd\n" }
output "list" { value = ["a", "c", "d"] }
output "object" { value = { name = "n", tags = { a = 1, b = 3, c = 4 }, other = [true] } }
output "secret" {
  value     = { password = "hunter3" }
  sensitive = true
}
output "becomes_secret" {
  value     = "plain"
  sensitive = true
}
output "becomes_unknown" { value = terraform_data.r.id }
output "id" { value = "fixed" }
output "json" { value = jsonencode({ a = 2, b = [2] }) }
output "with-dash" { value = "now" }
output "number" { value = "1" }
