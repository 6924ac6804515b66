output "j" { value = a..b }
