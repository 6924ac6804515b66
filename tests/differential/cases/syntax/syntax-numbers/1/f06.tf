output "g" { value = 1e5e5 }
