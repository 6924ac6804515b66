output "a" { value = max(1..., 2) }
