output "e" { value = 1 | 2 }
