output "a" {
  value = { a = 1
}
