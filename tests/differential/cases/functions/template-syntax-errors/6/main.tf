output "a" { value = "%{ for x in [] }a%{ else }%{ endfor }" }
