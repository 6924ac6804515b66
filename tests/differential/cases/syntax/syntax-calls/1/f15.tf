output "p" { value = provider::terraform::nope() }
