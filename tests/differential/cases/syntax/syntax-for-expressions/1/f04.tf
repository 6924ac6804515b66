output "e" { value = {for x in [] : x} }
