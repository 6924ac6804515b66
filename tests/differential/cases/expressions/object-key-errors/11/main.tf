output "a" { value = { a = } }
