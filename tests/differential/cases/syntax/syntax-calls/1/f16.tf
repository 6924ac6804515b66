output "q" { value = foo ("x") }
