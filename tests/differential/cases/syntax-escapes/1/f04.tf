output "e" { value = "a\" }
