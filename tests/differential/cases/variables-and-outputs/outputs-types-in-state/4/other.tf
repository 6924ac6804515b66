output "only" { value = 1 }
