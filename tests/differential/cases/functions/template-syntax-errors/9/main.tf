output "a" { value = "%{ for in x }a%{ endfor }" }
