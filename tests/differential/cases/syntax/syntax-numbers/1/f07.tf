output "h" { value = 01 }
