output "h" { value = "%{ if true }%{ else }%{ else }%{ endif }" }
