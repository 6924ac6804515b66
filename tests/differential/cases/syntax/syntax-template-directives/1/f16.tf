output "q" { value = "%{ if true }x%{ else foo }%{ endif }" }
