output "f" { value = a[1 }
