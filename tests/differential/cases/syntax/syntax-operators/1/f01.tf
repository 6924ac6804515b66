output "b" { value = * 2 }
