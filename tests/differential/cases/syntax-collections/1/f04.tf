output "e" { value = {a = } }
