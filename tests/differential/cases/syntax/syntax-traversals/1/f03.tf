output "d" { value = a[ }
