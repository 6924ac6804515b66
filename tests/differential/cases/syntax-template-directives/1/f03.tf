output "d" { value = "%{ endif }" }
