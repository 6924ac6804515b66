output "k" { value = ns:: }
