output "i" { value = {a = 1,, b = 2} }
