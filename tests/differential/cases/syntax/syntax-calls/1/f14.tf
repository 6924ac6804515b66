output "o" { value = provider::x::y() }
