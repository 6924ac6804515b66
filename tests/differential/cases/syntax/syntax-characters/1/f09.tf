output "f" { value = ~1 }
