output "y" {
  value = 2
}
