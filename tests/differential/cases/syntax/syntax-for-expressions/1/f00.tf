output "a" { value = [for x in ] }
