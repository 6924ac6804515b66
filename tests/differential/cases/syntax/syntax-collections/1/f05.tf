output "f" { value = {a: 1, : 2} }
