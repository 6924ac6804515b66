output "e" { value = a[] }
