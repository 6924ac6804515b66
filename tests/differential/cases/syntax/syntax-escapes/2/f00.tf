output "a" { value = "\uZZZZ" }
