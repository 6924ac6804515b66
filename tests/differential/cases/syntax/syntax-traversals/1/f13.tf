output "n" { value = a.(b) }
