output "d" {
