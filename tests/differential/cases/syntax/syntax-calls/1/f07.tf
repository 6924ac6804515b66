output "h" { value = foo(1...,) }
