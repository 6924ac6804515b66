output "j" { value = (1,2) }
