output "a" { value = "x" }
