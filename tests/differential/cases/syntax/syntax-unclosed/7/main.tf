/* unclosed
output "a" { value = 1 }
