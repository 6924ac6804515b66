output "bom" { value = 1 }
