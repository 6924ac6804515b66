output "a" { value = "%{ if true }a%{ endfor }" }
