output "b" { value = "\U00110000" }
