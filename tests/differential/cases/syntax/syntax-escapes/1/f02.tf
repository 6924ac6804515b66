output "c" { value = "\U1234" }
