output "e" { value = "\'" }
