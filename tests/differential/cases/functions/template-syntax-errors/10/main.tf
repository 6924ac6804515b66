output "a" { value = "%{ }" }
