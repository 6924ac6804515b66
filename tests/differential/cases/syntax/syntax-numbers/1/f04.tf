output "e" { value = .5 }
