  value = 1 output "e" {}
