output "p" { value = "%{ for a, b, c in [] }%{endfor}" }
