output "i" { value = a ^ b }
