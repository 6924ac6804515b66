output "n" { value = "%{ if true foo }%{ endif }" }
