output "d" { value = {a} }
