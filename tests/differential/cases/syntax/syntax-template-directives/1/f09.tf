output "j" { value = "%{ if }x%{ endif }" }
