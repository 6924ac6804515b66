output "n" { value = !== }
