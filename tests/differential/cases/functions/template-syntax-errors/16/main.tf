output "a" { value = “curly” }
