output "a" { value = "ÿ" }
output "bþ" { value = 1 }
