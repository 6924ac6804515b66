output "m" { value = "%{ if true }%{ endfor }" }
