output "out" {
  value = "plain"
}
