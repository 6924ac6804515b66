output "g" { value = "%{ endfor }" }
