output "l" { value = "%{ for in [] }x%{ endfor }" }
