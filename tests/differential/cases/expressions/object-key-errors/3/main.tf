output "a" { value = { a = 1 b = 2 } }
