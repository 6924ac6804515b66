output "k" { value = { foo() = 1 } }
