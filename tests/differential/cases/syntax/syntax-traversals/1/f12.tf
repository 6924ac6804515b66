output "m" { value = a[1,2] }
