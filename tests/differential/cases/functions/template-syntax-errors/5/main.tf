output "a" { value = "a%{ endif }" }
