output "x" {
  value     = 1
  sensitive = true
}
