output "g" { value = {1} }
