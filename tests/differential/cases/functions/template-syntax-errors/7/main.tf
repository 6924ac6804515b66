output "a" { value = "%{ if true }a%{ else }b%{ else }c%{ endif }" }
