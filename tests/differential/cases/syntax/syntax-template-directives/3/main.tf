output "a" { value = "${a }
output "b" { value = "x" }
