output "x" {
  value = "one"
}
