output "k" { value = "%{ for x [] }x%{ endfor }" }
