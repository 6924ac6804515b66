output "j" { value = { a.b = 1 } }
