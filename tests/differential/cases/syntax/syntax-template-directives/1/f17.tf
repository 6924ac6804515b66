output "r" { value = "%{ endif x }" }
