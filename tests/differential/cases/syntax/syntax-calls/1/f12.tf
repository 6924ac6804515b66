output "m" { value = a::b::c() }
