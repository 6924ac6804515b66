output "e" { value = true ? 1 : }
