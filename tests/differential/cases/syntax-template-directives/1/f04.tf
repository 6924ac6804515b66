output "e" { value = "%{ else }" }
