output "c" { value = 1 + + 2 }
