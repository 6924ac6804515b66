output "a" {
