variable "in" { type = string }
output "known" { value = "known" }
output "unknown" { value = var.in }
output "list" { value = [var.in, "b"] }
output "object" { value = { a = "a", b = var.in } }
