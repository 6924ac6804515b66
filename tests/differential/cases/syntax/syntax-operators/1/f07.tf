output "h" { value = a && }
