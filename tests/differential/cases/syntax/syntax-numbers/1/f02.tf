output "c" { value = 1e }
