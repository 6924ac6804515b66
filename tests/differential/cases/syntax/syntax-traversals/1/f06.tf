output "g" { value = a.1.2 }
