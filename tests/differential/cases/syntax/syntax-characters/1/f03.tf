output "b" {
