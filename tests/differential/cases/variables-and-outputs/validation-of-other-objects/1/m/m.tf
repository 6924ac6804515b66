output "limit" {
  value = 2
}
