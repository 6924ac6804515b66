output "a" { value = 1 )
output "b" { value = ] }
