output "o" { value = "%{}" }
