output "c" { value = [for in [] : x] }
