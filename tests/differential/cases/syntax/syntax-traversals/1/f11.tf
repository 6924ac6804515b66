output "l" { value = a."b" }
