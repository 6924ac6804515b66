output "d" { value = 1_000 }
