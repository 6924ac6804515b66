output "k" { value = a.[0] }
