output "n" { value = provider::x() }
