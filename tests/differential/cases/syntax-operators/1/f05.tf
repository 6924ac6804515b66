output "f" { value = ! }
