output "m" { value = a = b }
