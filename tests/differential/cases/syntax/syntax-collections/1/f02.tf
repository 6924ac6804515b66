output "c" { value = {a = 1 b = 2} }
