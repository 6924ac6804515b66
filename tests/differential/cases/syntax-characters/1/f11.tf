output "h" { value = “x” }
